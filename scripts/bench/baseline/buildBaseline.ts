import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { cacheFolder } from '../../bootstrap/paths.mjs'
import { precompress } from '../../precompress.ts'

/** Builds the baseline as the console is built. @returns the folder of the build, whose page is `baseline.html` */
export async function buildBaseline(): Promise<string> {
  const outDir = join(cacheFolder, 'baseline')
  await build({
    configFile: false,
    root: import.meta.dirname,
    base: '/dashboard/',
    logLevel: 'warn',
    plugins: [react(), precompress()],
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: join(import.meta.dirname, 'baseline.html') } },
  })
  return outDir
}
