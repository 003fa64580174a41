import { globSync } from 'node:fs'
import { join } from 'node:path'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

/** In the file of the entry although only later files use them: the console, and what comes before it. */
const entryModules = ['src/storage/storedChoices.ts']

/** What the lists of all entities are drawn from. */
const definitions = globSync('src/resources/*/index.{ts,tsx}', { cwd: join(import.meta.dirname, '../..') }).map(
  (path) => path.replaceAll('\\', '/'),
)

/** Files that are loaded together, from dynamic imports; what a group needs that an earlier one has is not repeated. */
const groups = [
  { name: 'console', entries: ['src/app/App.tsx', 'src/resources/server/index.ts', 'i18n/index.ts'] },
  {
    name: 'dialogs',
    entries: [
      'src/engine/parts/Menu.tsx',
      'src/engine/parts/FailureDialog.tsx',
      'src/engine/actions/ConfirmDialog.tsx',
      'src/app/layout/header/NavigationDrawer.tsx',
    ],
  },
  // Fetched ahead in one go; before the forms, so that no list waits for what only forms need.
  { name: 'lists', entries: definitions },
  {
    name: 'form',
    entries: ['src/engine/form/RecordDialog.tsx', 'src/engine/kinds/reference/ReferencePicker.tsx'],
  },
]

/**
 * A vite plugin: puts what is loaded at the same time into one chunk: what the page's entry needs, everything that the
 * first list needs beside it, what opens over it, and everything that forms need beside that. By default each module that
 * a later page imports as well gets a chunk of its own: seventy files of a kilobyte, which queue six at a time.
 *
 * Which modules these are is read from a build by the default rules: what a module imports is no measure, because most
 * imports from packages with one big index are dropped.
 * @param config as for the real build, without plugins that work on finished files
 */
export function chunkGroups(config: InlineConfig): Plugin {
  return {
    name: 'wheelhouse:chunk-groups',
    apply: 'build',
    // Only a build waits for this, not a program that just reads the configuration.
    async config() {
      const codeSplitting = { groups: await findGroups(config), includeDependenciesRecursively: false }
      return { build: { rolldownOptions: { output: { codeSplitting } } } }
    },
  }
}

async function findGroups(config: InlineConfig): Promise<{ name: string; test: (id: string) => boolean }[]> {
  const chunks = await chunksByDefault(config)
  const entry = [...chunks.values()].filter(({ isEntry }) => isEntry)
  entry.push(...entryModules.map((path) => chunkOf(path, chunks)))
  const loaded = new Set<string>()
  const first = groups.map(({ name, entries }) => ({ name, roots: entries.map((path) => chunkOf(path, chunks)) }))
  return [{ name: 'entry', roots: entry }, ...first].map(({ name, roots }) => {
    const files = [...filesLoaded(roots, chunks)].filter((file) => !loaded.has(file))
    for (const file of files) loaded.add(file)
    const modules = new Set(files.flatMap((file) => chunks.get(file)?.moduleIds ?? []))
    return { name, test: (id) => modules.has(id) }
  })
}

/** A build by the default rules, with the scripts that consist of styles: vite takes those out at its end. */
async function chunksByDefault(config: InlineConfig): Promise<Chunks> {
  const chunks = new Map<string, ChunkFiles>()
  const readChunks: Plugin = {
    name: 'wheelhouse:read-chunks',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        for (const [name, { fileName, isEntry, imports, moduleIds }] of chunksIn(Object.values(bundle))) {
          chunks.set(name, { fileName, isEntry, imports: [...imports], moduleIds: [...moduleIds] })
        }
      },
    },
  }
  const plugins = [...(config.plugins ?? []), readChunks]
  await build({ ...config, plugins, configFile: false, logLevel: 'warn', build: { write: false, minify: false } })
  return chunks
}

/** The scripts of a build by their file names. */
export const chunksIn = (
  output: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[],
): Chunks<Rolldown.OutputChunk> =>
  new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))

/** The parts of a chunk that say which others are loaded with it. */
type ChunkFiles = Pick<Rolldown.OutputChunk, 'fileName' | 'isEntry' | 'imports' | 'moduleIds'>

type Chunks<C extends ChunkFiles = ChunkFiles> = ReadonlyMap<string, C>

/** @throws Error when the file is in no chunk */
export function chunkOf<C extends ChunkFiles>(path: string, chunks: Chunks<C>): C {
  for (const chunk of chunks.values()) {
    if (chunk.moduleIds.some((id) => id.replaceAll('\\', '/').endsWith(`/${path}`))) return chunk
  }
  throw new Error(`The build does not contain ${path}: correct the groups in scripts/build/chunkGroups.ts.`)
}

/** The files of these chunks and of what they import statically, directly or not. */
export function filesLoaded(from: readonly ChunkFiles[], chunks: Chunks): Set<string> {
  const files = new Set(from.map(({ fileName }) => fileName))
  // The loop also reaches files that are added while it runs.
  for (const file of files) for (const imported of chunks.get(file)?.imports ?? []) files.add(imported)
  return files
}
