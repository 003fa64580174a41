import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { cacheFolder } from '../../bootstrap/paths.mjs'
import { precompress } from '../../build/precompress.ts'

/**
 * Builds a page to compare with as the console is built: the plain baseline, or the least one of React and MUI.
 * @returns the folder of the build, whose page is `baseline.html` or `muiPage.html`
 */
export async function buildBaseline(page: 'baseline' | 'muiPage'): Promise<string> {
  const outDir = join(cacheFolder, page)
  await build({
    configFile: false,
    root: import.meta.dirname,
    base: '/dashboard/',
    logLevel: 'warn',
    plugins: [react(), precompress()],
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: join(import.meta.dirname, `${page}.html`) } },
  })
  return outDir
}
