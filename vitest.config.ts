import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import packageJson from './package.json' with { type: 'json' }

/**
 * ra-core loads react-router's .mjs build and src would get the CommonJS one: two routers, and hooks that find no
 * context. One alias gives both the same file.
 */
const oneRouter = {
  find: /^react-router$/,
  replacement: resolve(import.meta.dirname, 'node_modules/react-router/dist/development/index.mjs'),
}

export default defineConfig({
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', environment: 'node', include: ['tests/unit/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['tests/server/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
      {
        extends: true,
        resolve: { alias: [oneRouter] },
        test: {
          name: 'ui',
          environment: 'jsdom',
          include: ['tests/ui/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
    ],
  },
})
