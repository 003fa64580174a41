import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What vite writes to dist/.vite/manifest.json, as far as it matters here: one entry per source module or chunk. */
export type Manifest = Record<
  string,
  { file: string; name?: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[]; css?: string[] }
>

/**
 * What the page's entry takes over the wire, which is the sign-in form: bytes of script and style, brotli-compressed.
 *
 * @param dist the folder of a build
 * @throws Error when there is no build in it
 */
export function measureEntry(dist: string): number {
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  return filesLoaded(manifest, [entryOf(manifest)]).reduce(
    (sum, file) => sum + statSync(join(dist, `${file}.br`)).size,
    0,
  )
}

/**
 * What the first list takes where nothing is compressed: the console beside the page's entry.
 *
 * @param dist the folder of a build
 * @throws Error when there is no build in it
 */
export function measurePlainList(dist: string): number {
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  return filesLoaded(manifest, [entryOf(manifest), consoleOf(manifest)]).reduce(
    (sum, file) => sum + statSync(join(dist, file)).size,
    0,
  )
}

/**
 * The script of the console with its first list, as it is run.
 *
 * @param dist the folder of a build
 * @throws Error when there is no build in it
 */
export function readConsole(dist: string): string {
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  return readFileSync(join(dist, manifest[consoleOf(manifest)]?.file ?? ''), 'utf8')
}

function consoleOf(manifest: Manifest): string {
  const key = Object.keys(manifest).find((key) => manifest[key]?.name === 'console')
  if (!key) throw new Error('The build has no file with the name "console" (scripts/build/chunkGroups.ts).')
  return key
}

/** The key of the page's entry. */
export function entryOf(manifest: Manifest): string {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  if (entries.length !== 1) throw new Error(`The build should have one entry and has ${entries.length}.`)
  return entries.join()
}

/** The scripts and styles that the modules load by static imports, directly or not: each once, sorted. */
export function filesLoaded(manifest: Manifest, keys: readonly string[]): string[] {
  const seen = new Set<string>()
  const files = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no module ${key}; loaded on demand are: ${onDemand(manifest)}.`)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const key of keys) visit(key)
  return [...files].sort()
}

function onDemand(manifest: Manifest): string {
  return Object.keys(manifest)
    .filter((key) => manifest[key]?.isDynamicEntry)
    .join(', ')
}
