import type { Plugin } from 'vite'
import { chunksIn } from './chunkGroups.ts'

/** Half of the functions of these files and more run at every start: of the entry, the first list, the terminal. */
const files = ['index', 'console', 'xtermScreen', 'TerminalPage']
/** What Chromium calls an explicit compile hint; it has to be the first line, and other browsers ignore it. */
const hint = '//# allFunctionsCalledOnLoad'

/**
 * A vite plugin: tells browsers to compile the largest files while they come, in the background, and to store the result.
 * Otherwise each function is compiled when it is first called, while the page waits, at every start anew.
 */
export function compileAhead(): Plugin {
  return {
    name: 'wheelhouse:compile-ahead',
    apply: 'build',
    generateBundle: {
      // Vite puts a line of its own in front.
      order: 'post',
      handler(_options, bundle) {
        const chunks = [...chunksIn(Object.values(bundle)).values()]
        for (const file of files) {
          const chunk = chunks.find(({ name }) => name === file)
          if (!chunk) throw new Error(`The build has no file called ${file}: correct scripts/build/compileAhead.ts.`)
          chunk.code = `${hint}\n${chunk.code}`
        }
      },
    },
  }
}
