import { defineConfig } from '@playwright/test'
import { chromiumArgs, findChromium } from './tests/support/journeys/chromium.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.test.ts',
  // The journeys share two cores with the server and the browser: one at a time is the steady way.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: 'test-results',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // A click that cannot happen should say so well before its test runs out of time.
    actionTimeout: 10_000,
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: { executablePath: await findChromium(), args: [...chromiumArgs] },
  },
})
