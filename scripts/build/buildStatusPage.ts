import { resolve } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * A vite plugin: builds the status page for visitors beside the console, into `status` of its folder. It is a build of its
 * own, so that it shares no file with the console: a chunk that both need would bring the page half of the console.
 */
export function buildStatusPage(): Plugin {
  let root = ''
  let outDir = ''
  return {
    name: 'wheelhouse:build-status-page',
    apply: 'build',
    configResolved(config) {
      root = config.root
      outDir = resolve(root, config.build.outDir, 'status')
    },
    // Before closeBundle, in which everything is compressed.
    async writeBundle() {
      await build({
        ...{ root, configFile: false, publicDir: false, base: '/status/', logLevel: 'warn' },
        build: {
          ...{ outDir, emptyOutDir: true, license: { fileName: 'licenses.md' } },
          // The server reads it: it writes the page itself (server/status/page/statusPage.ts).
          manifest: 'manifest.json',
          // All browsers that the page is for know module preloading.
          modulePreload: { polyfill: false },
          rolldownOptions: { input: 'src/status/main.tsx' },
        },
      })
    },
  }
}
