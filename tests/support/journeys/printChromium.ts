import { findChromium } from './chromium.ts'

// Asked before the browser tests start: a missing browser is one sentence here, and a stack of them in each test.
try {
  console.info(`browser: ${await findChromium()}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
