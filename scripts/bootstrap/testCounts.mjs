import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {{ passed: number, failed: number }} Counts
 * @typedef {{ status: string, assertionResults: { status: string }[] }} VitestFile
 */

/**
 * @param {string} report vitest's JSON report
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countVitest(report, exitCode) {
  const files = /** @type {VitestFile[]} */ (read(report)?.testResults ?? [])
  let passed = 0
  let failed = 0
  for (const file of files) {
    const broken = count(file.assertionResults, 'failed')
    passed += count(file.assertionResults, 'passed')
    // A file that cannot be loaded fails without one failing test in it.
    failed += file.status === 'failed' ? Math.max(broken, 1) : broken
  }
  return honest({ passed, failed }, exitCode)
}

/**
 * @param {string} report Playwright's JSON report
 * @param {number} exitCode
 * @returns {Counts} a test that passed only when repeated has passed, and is told in a line of its own
 */
export function countPlaywright(report, exitCode) {
  const { expected, unexpected, flaky } = read(report)?.stats ?? { expected: 0, unexpected: 0, flaky: 0 }
  if (flaky > 0) console.error(`${flaky} passed only when repeated: see the list above.`)
  return honest({ passed: expected + flaky, failed: unexpected }, exitCode)
}

/**
 * A suite that ran nothing, or ended badly without a failing test to show for it, has failed.
 *
 * @param {Counts} counts
 * @param {number} exitCode
 * @returns {Counts}
 */
function honest({ passed, failed }, exitCode) {
  if (passed + failed === 0) console.error('No test ran.')
  const unexplained = failed === 0 && (passed === 0 || exitCode !== 0)
  return { passed, failed: unexplained ? 1 : failed }
}

/**
 * @param {{ status: string }[]} tests
 * @param {string} status
 */
function count(tests, status) {
  return tests.filter((test) => test.status === status).length
}

/** @param {string} report */
function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
}
