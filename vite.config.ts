import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import packageJson from './package.json' with { type: 'json' }
import { evaluateTexts } from './scripts/evaluateTexts.ts'
import { precompress } from './scripts/precompress.ts'

/** Where `npm run dev` finds the API: the embedded server as `npm start` starts it. */
const embeddedServer = 'http://127.0.0.1:8008'

export default defineConfig({
  base: '/dashboard/',
  resolve: {
    alias: [{ find: /^object\.entries$/, replacement: resolve(import.meta.dirname, 'scripts/objectEntries.cjs') }],
  },
  plugins: [react(), evaluateTexts(), precompress()],
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  // The manifest tells tests/e2e/start/budget.test.ts what the sign-in form loads.
  // The licences of what went in are theirs who hand dist on.
  build: { outDir: 'dist', manifest: true, license: true, emptyOutDir: true },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: embeddedServer, ws: true } },
  },
})
