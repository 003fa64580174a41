import { defineConfig } from '@playwright/test'
import { chromiumArgs, findChromium, shortLivedArgs } from './tests/support/journeys/chromium.ts'

const heavyFiles = '**/*.heavy.test.ts'
const launch = { executablePath: await findChromium(), args: [...chromiumArgs] }

export default defineConfig({
  testDir: 'tests/e2e',
  // Node itself runs TypeScript; on a first run Playwright would take 12 s of a processor to compile 800 files.
  build: { external: ['**/*.ts'] },
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // For what hangs: the journeys share the cores with other tests, and the machine with others.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // The longest first: they measure memory or move hundreds of MiB, one at a time, beside the journeys.
  projects: [
    { name: 'heavy', testMatch: heavyFiles, workers: 1 },
    {
      name: 'journeys',
      testMatch: '**/*.test.ts',
      testIgnore: heavyFiles,
      use: { launchOptions: { ...launch, args: [...launch.args, ...shortLivedArgs] } },
    },
  ],
  globalSetup: './tests/support/journeys/buildConsole.ts',
  outputDir: 'test-results',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // Those that are about it allow it.
    serviceWorkers: 'block',
    // Drawing what moves takes an eighth of the time of a journey; those that are about the look have motion.
    contextOptions: { reducedMotion: 'reduce' },
    // A click that cannot happen should say so well before its test runs out of time.
    actionTimeout: 60_000,
    // Recording every test takes more time than the tests: `npx playwright test --trace on FILE` records one.
    launchOptions: launch,
  },
})
