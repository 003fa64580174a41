import { dirname, join, resolve } from 'node:path'
import { build, type Rolldown } from 'vite'
import { root } from '../root.ts'

const folder = join(root, 'tests/support/drill/src')
const changedFiles = ['resources/index.ts', 'schemas/index.ts', 'schemas/endpoints/index.ts']

/**
 * What the worked example adds to the files that the first list needs, as a build writes it: without what is imported from
 * the console, which is there anyway, and without what the registry loads later.
 */
export async function exampleCode(): Promise<string> {
  const [{ output }] = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      // As a library: a page would get vite's function that loads styles with each import, which the console has already.
      lib: { entry: changedFiles.map((file) => join(folder, file)), formats: ['es'] },
      rolldownOptions: {
        external: (id, importer) => importer !== undefined && !resolve(dirname(importer), id).startsWith(folder),
        output: { minify: true },
      },
    },
  })) as [Rolldown.RolldownOutput]
  const chunks = output.filter((file) => file.type === 'chunk' && !file.isDynamicEntry) as Rolldown.OutputChunk[]
  return chunks.map(({ code }) => code.replace(/^(import.*?;)+|export\{.*$/gms, '')).join('\n')
}
