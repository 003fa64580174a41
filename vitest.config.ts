import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import packageJson from './package.json' with { type: 'json' }
import { sqliteOnly, storedDataFiles } from './tests/support/postgres/storedData.ts'

/**
 * ra-core loads react-router's .mjs build and src would get the CommonJS one: two routers, and hooks that find no
 * context. One alias gives both the same file.
 */
const oneRouter = {
  find: /^react-router$/,
  replacement: resolve(import.meta.dirname, 'node_modules/react-router/dist/development/index.mjs'),
}

/**
 * All that the console takes from react-admin comes from ra-core. The rest is a UI of its own, half of what these tests
 * would load: a browser's bundle does not have it either.
 */
const withoutReactAdminUi = { find: /^react-admin$/, replacement: 'ra-core' }

/**
 * The build of emotion that people have keeps all rules in one style sheet. Its development build makes a sheet for each
 * rule, and jsdom a tenth of these tests long keeps them in order.
 */
const releasedEmotion: Plugin = {
  name: 'released-emotion',
  configResolved({ ssr: { resolve } }) {
    if (resolve?.conditions) resolve.conditions = resolve.conditions.filter((name) => !name.startsWith('development'))
  },
}

const pageProject = {
  resolve: { alias: [oneRouter, withoutReactAdminUi] },
  plugins: [releasedEmotion],
}

const isolatedFiles = '**/*.isolated.test.{ts,tsx}'
const heavyFiles = '**/*.heavy.test.{ts,tsx}'
const aloneFiles = '**/*.alone.test.{ts,tsx}'

const waitTimeout = 'tests/support/setup/waitTimeout.ts'
const restoreGlobals = 'tests/support/setup/restoreGlobals.ts'
const closeServers = 'tests/support/setup/closeServers.ts'
const pageWaits = 'tests/support/setup/pageWaits.ts'
const withoutOwnerStacks = 'tests/support/setup/withoutOwnerStacks.ts'
const withoutThemeVariables = 'tests/support/setup/withoutThemeVariables.ts'
const withoutCanvas = 'tests/support/setup/withoutCanvas.ts'

/** For what hangs, and longer than several waits: where others are at work, a test may get a tenth of a core. */
const slowTests = { testTimeout: 300_000, hookTimeout: 300_000 }

/** Those that move hundreds of MiB take minutes of such a share. */
const heavyTests = { ...slowTests, testTimeout: 900_000 }

/**
 * One more for every two cores: tests of the server take a quarter of a core while they wait for sockets, programs and
 * PostgreSQL. Vitest takes no more than the cores from a percentage.
 */
const cores = availableParallelism()
const maxWorkers = Math.ceil(cores * 1.5)

/** Whether the servers of all tests are on PostgreSQL. */
const isOnPostgres = process.env.TEST_STORE === 'postgres'

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
  const exclude = [isolatedFiles, heavyFiles, aloneFiles, ...(isOnPostgres ? Object.keys(sqliteOnly) : [])]
  const page = options.environment === 'jsdom' ? pageProject : undefined
  // Pages and servers leave much behind that is soon garbage. By default the space for new objects begins with 1 MiB, grows
  // up to 16, and shrinks whenever a test waits: a tenth of the start of a server was for collecting it.
  const execArgv = ['--min-semi-space-size=64', '--max-semi-space-size=64']
  const setupFiles = page
    ? [waitTimeout, pageWaits, withoutOwnerStacks, withoutCanvas, withoutThemeVariables]
    : [waitTimeout]
  const shared = {
    ...options,
    execArgv,
    exclude,
    isolate: false,
    setupFiles: [...setupFiles, restoreGlobals, closeServers],
  }
  const postgres = {
    ...shared,
    name: `${name}-postgres`,
    include: [...storedDataFiles],
    env: { TEST_STORE: 'postgres' },
  }
  return [
    { extends: true as const, ...page, test: { ...shared, name, include } },
    ...(name === 'server' && !isOnPostgres ? [{ extends: true as const, test: postgres }] : []),
    {
      extends: true as const,
      ...page,
      test: {
        ...options,
        execArgv,
        name: `${name}-isolated`,
        include: [`tests/${name}/${isolatedFiles}`],
        isolate: true,
        setupFiles,
      },
    },
  ]
}

export default defineConfig({
  define: { __APP_VERSION__: JSON.stringify(packageJson.version) },
  test: {
    maxWorkers,
    // As long as `vi.waitFor` waits: see tests/support/setup/waitTimeout.ts.
    expect: { poll: { timeout: 60_000 } },
    // Slower tests are named in the output.
    slowTestThreshold: 2000,
    projects: [
      {
        extends: true,
        test: { name: 'texts', environment: 'node', include: ['tests/texts/*.test.ts'], isolate: false, ...slowTests },
      },
      ...projects('unit', { environment: 'node', ...slowTests }),
      ...projects('server', { environment: 'node', ...slowTests }),
      ...projects('ui', { environment: 'jsdom', ...slowTests }),
      {
        extends: true,
        test: {
          name: 'heavy',
          environment: 'node',
          include: [`tests/server/${heavyFiles}`],
          // After the others: those of a file share nothing with it, and most of them wait for sockets and disks.
          sequence: { groupOrder: 1 },
          // Each may take hundreds of MiB.
          maxWorkers: cores,
          setupFiles: [waitTimeout],
          ...heavyTests,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          environment: 'node',
          include: [`tests/server/${aloneFiles}`],
          fileParallelism: false,
          setupFiles: [waitTimeout],
          ...slowTests,
        },
      },
    ],
  },
})
