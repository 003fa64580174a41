import { resolve } from 'node:path'
import { build, type Plugin } from 'vite'
import { consolePath } from '../../src/schemas/consolePath.ts'

/**
 * A vite plugin: builds the page that shows the API beside the console, into `api-docs` of its folder. It is a build of
 * its own, so that nothing of the viewer gets into what the console loads.
 */
export function buildApiDocs(): Plugin {
  let [root, outDir] = ['', '']
  return {
    name: 'wheelhouse:build-api-docs',
    apply: 'build',
    configResolved(config) {
      root = resolve(config.root, 'src/apiDocs')
      outDir = resolve(config.root, config.build.outDir, 'api-docs')
    },
    // Before closeBundle, in which everything is compressed.
    async writeBundle() {
      await build({
        ...{ root, configFile: false, publicDir: false, base: `${consolePath}/api-docs/`, logLevel: 'warn' },
        build: {
          ...{ outDir, emptyOutDir: true, license: { fileName: 'licenses.md' } },
          // The viewer is one file.
          chunkSizeWarningLimit: 2000,
          modulePreload: { polyfill: false },
        },
      })
    },
  }
}
