import { resolve } from 'node:path'
import { build, type InlineConfig, type Plugin } from 'vite'
import { consolePath } from '../../src/schemas/consolePath.ts'

/** The pages that stand beside the console, by the folder that each gets in the output folder. */
const pages: Readonly<Record<string, InlineConfig>> = {
  // For visitors.
  status: {
    base: '/status/',
    // The server reads the manifest: it writes the page itself (server/status/page/statusPage.ts).
    build: { manifest: 'manifest.json', rolldownOptions: { input: 'src/status/main.tsx' } },
  },
  // Shows the API. The viewer is one file.
  'api-docs': {
    root: 'src/apiDocs',
    base: `${consolePath}/api-docs/`,
    build: { chunkSizeWarningLimit: 2000 },
  },
}

/**
 * A vite plugin: builds the pages that stand beside the console. Each is a build of its own, so that it shares no file
 * with the console: a chunk that both need would bring the page half of the console, or the console the viewer.
 */
export function buildPages(): Plugin {
  let [root, outDir] = ['', '']
  return {
    name: 'wheelhouse:build-pages',
    apply: 'build',
    configResolved(config) {
      root = config.root
      outDir = resolve(root, config.build.outDir)
    },
    // Before closeBundle, in which everything is compressed.
    async writeBundle() {
      for (const [folder, page] of Object.entries(pages)) {
        await build({
          ...page,
          root: resolve(root, page.root ?? '.'),
          configFile: false,
          publicDir: false,
          logLevel: 'warn',
          build: {
            ...page.build,
            outDir: resolve(outDir, folder),
            emptyOutDir: true,
            license: { fileName: 'licenses.md' },
            // All browsers that the pages are for know module preloading.
            modulePreload: { polyfill: false },
          },
        })
      }
    },
  }
}
