import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import packageJson from './package.json' with { type: 'json' }
import { buildBeside } from './scripts/build/buildBeside.ts'
import { chunkGroups } from './scripts/build/chunkGroups.ts'
import { compileAhead } from './scripts/build/compileAhead.ts'
import { pdfFiles } from './scripts/build/pdfFiles.ts'
import { precompress } from './scripts/build/precompress.ts'
import { preloadConsole } from './scripts/build/preloadConsole.ts'
import { consolePath } from './src/schemas/consolePath.ts'

/** Where `npm run dev` finds the API: the embedded server as `npm start` starts it. */
const embeddedServer = 'http://127.0.0.1:8008'

const shared: UserConfig = {
  base: `${consolePath}/`,
  resolve: {
    alias: [
      // The router that react-admin would use if it were not given one: docs/decisions/router.md.
      {
        find: /^\.\/adapters\/reactRouterProvider\.js$/,
        replacement: resolve(import.meta.dirname, 'scripts/build/noRouterProvider.js'),
      },
    ],
  },
  plugins: [react()],
  // Workers fetch what few of them need.
  worker: { format: 'es' },
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
}

export default defineConfig({
  ...shared,
  plugins: [
    ...(shared.plugins ?? []),
    chunkGroups(shared),
    preloadConsole(),
    compileAhead(),
    pdfFiles(),
    buildBeside(),
    precompress(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The manifest tells tests/e2e/start/budget.test.ts what the sign-in form loads.
    manifest: true,
    // The licences of what went in are theirs who hand dist on.
    license: true,
    // Budgets are in tests/e2e/start/budget.test.ts.
    chunkSizeWarningLimit: 1000,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: embeddedServer, ws: true } },
  },
})
