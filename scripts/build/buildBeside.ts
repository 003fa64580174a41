import { resolve } from 'node:path'
import { build, type InlineConfig, type Plugin } from 'vite'
import { consolePath } from '../../src/schemas/consolePath.ts'
import { appManifest, appTags, serviceWorkerBuild } from './serviceWorker.ts'

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
 * A vite plugin: what stands beside the console. Pages and service worker are builds of their own, so that they share no
 * file with the console: a chunk that both need would bring the page half of the console, or the console the viewer. With
 * the service worker come the manifest, for servers that do not write one themselves, and what leads to it in the page.
 */
export function buildBeside(): Plugin {
  let [root, outDir] = ['', '']
  return {
    name: 'wheelhouse:build-beside',
    apply: 'build',
    configResolved(config) {
      root = config.root
      outDir = resolve(root, config.build.outDir)
    },
    transformIndexHtml: appTags,
    generateBundle() {
      this.emitFile({ type: 'asset', ...appManifest() })
    },
    // Before closeBundle, in which everything is compressed.
    async writeBundle() {
      const shared: InlineConfig = { configFile: false, publicDir: false, logLevel: 'warn' }
      for (const [folder, page] of Object.entries(pages)) {
        await build({
          ...shared,
          ...page,
          root: resolve(root, page.root ?? '.'),
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
      await build({ ...shared, root, ...serviceWorkerBuild(outDir) })
    },
  }
}
