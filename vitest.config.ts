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

const isolatedFiles = '**/*.isolated.test.{ts,tsx}'
const heavyFiles = '**/*.heavy.test.{ts,tsx}'
const aloneFiles = '**/*.alone.test.{ts,tsx}'

const patience = 'tests/support/setup/patience.ts'

/** Generous: tests start servers and programs, and share the cores with browsers. */
const slowTests = { testTimeout: 60_000, hookTimeout: 60_000 }

/**
 * Test files of one folder share their process, which loads every module once. Three kinds of files do not:
 * `*.isolated.test.ts` changes the process (mocks modules, sets the umask or the user), `*.heavy.test.ts` measures memory
 * or moves hundreds of MiB, and `*.alone.test.ts` measures time and runs while nothing else does.
 */
function projects(
  name: string,
  options: { environment: 'node' | 'jsdom'; testTimeout?: number; hookTimeout?: number },
) {
  const include = [`tests/${name}/**/*.test.{ts,tsx}`]
  const exclude = [isolatedFiles, heavyFiles, aloneFiles]
  const resolve = { alias: options.environment === 'jsdom' ? [oneRouter] : [] }
  return [
    {
      extends: true as const,
      resolve,
      test: {
        ...options,
        name,
        include,
        exclude,
        isolate: false,
        setupFiles: [patience, 'tests/support/setup/restoreGlobals.ts'],
      },
    },
    {
      extends: true as const,
      resolve,
      test: {
        ...options,
        name: `${name}-isolated`,
        include: [`tests/${name}/${isolatedFiles}`],
        isolate: true,
        setupFiles: [patience],
      },
    },
  ]
}

export default defineConfig({
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  test: {
    // Vitest's own default leaves one core idle, which is half of a small machine.
    maxWorkers: '100%',
    // As long as `vi.waitFor` waits: see tests/support/setup/patience.ts.
    expect: { poll: { timeout: 15_000 } },
    // Slower tests are named in the output; npm test lists the slowest of all at its end.
    slowTestThreshold: 2000,
    projects: [
      ...projects('unit', { environment: 'node', ...slowTests }),
      ...projects('server', { environment: 'node', ...slowTests }),
      ...projects('ui', { environment: 'jsdom', ...slowTests }),
      {
        extends: true,
        test: {
          name: 'heavy',
          environment: 'node',
          include: [`tests/server/${heavyFiles}`],
          setupFiles: [patience],
          ...slowTests,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          environment: 'node',
          include: [`tests/server/${aloneFiles}`],
          fileParallelism: false,
          setupFiles: [patience],
          ...slowTests,
        },
      },
    ],
  },
})
