import { build, type InlineConfig, type Rolldown } from 'vite'

/** Files that are loaded together, from dynamic imports; what a group needs that an earlier one has is not repeated. */
const groups = [
  { name: 'console', entries: ['src/app/App.tsx', 'i18n/index.ts'] },
  {
    name: 'form',
    entries: ['src/resources/engine/form/RecordDialog.tsx', 'src/resources/engine/kinds/reference/ReferencePicker.tsx'],
  },
]

/**
 * Puts what is loaded at the same time into one chunk: everything that the first list needs beside the sign-in form, and
 * everything that forms need beside the list. By default each module that a later page imports as well gets a chunk of
 * its own: seventy files of a kilobyte, which queue six at a time.
 *
 * Which modules these are is read from a build by the default rules: what a module imports is no measure, because most
 * imports from packages with one big index are dropped.
 * @param config as for the real build, without plugins that work on finished files
 * @returns groups for rolldown's `codeSplitting`
 */
export async function chunkGroups(config: InlineConfig): Promise<{ name: string; test: (id: string) => boolean }[]> {
  const result = await build({ ...config, configFile: false, logLevel: 'warn', build: { write: false, minify: false } })
  const { output } = result as Rolldown.RolldownOutput
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))
  const loaded = filesLoaded(
    [...chunks.values()].filter(({ isEntry }) => isEntry),
    chunks,
  )
  return groups.map(({ name, entries }) => {
    const needed = filesLoaded(
      entries.map((path) => chunkOf(path, chunks)),
      chunks,
    )
    const files = [...needed].filter((file) => !loaded.has(file))
    for (const file of files) loaded.add(file)
    const modules = new Set(files.flatMap((file) => chunks.get(file)?.moduleIds ?? []))
    return { name, test: (id) => modules.has(id) }
  })
}

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>

/** @throws Error when the file is in no chunk */
function chunkOf(path: string, chunks: Chunks): Rolldown.OutputChunk {
  for (const chunk of chunks.values()) {
    if (chunk.moduleIds.some((id) => id.replaceAll('\\', '/').endsWith(`/${path}`))) return chunk
  }
  throw new Error(`The build does not contain ${path}: correct the groups in scripts/chunkGroups.ts.`)
}

/** The files of these chunks and of what they import statically, directly or not. */
function filesLoaded(from: readonly Rolldown.OutputChunk[], chunks: Chunks): Set<string> {
  const files = new Set(from.map(({ fileName }) => fileName))
  // A set goes on to what is added on the way.
  for (const file of files) for (const imported of chunks.get(file)?.imports ?? []) files.add(imported)
  return files
}
