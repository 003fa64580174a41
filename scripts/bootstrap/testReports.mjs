import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './paths.mjs'

/**
 * @typedef {{ title: string, file: string, ms: number }} TestTime `file` is relative to the project's folder
 * @typedef {{ passed: number, failed: number, times: TestTime[] }} SuiteResult a suite without tests counts only when
 *   it fails, as one
 * @typedef {{ status: string, fullName: string, duration?: number | null }} VitestTest
 * @typedef {{ status: string, name: string, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ title: string, file: string, tests: { results: { duration: number }[] }[] }} PlaywrightTest
 * @typedef {{ specs?: PlaywrightTest[], suites?: PlaywrightGroup[] }} PlaywrightGroup
 */

/**
 * @param {string} report vitest's JSON report
 * @param {number} exitCode
 * @returns {SuiteResult}
 */
export function readVitestReport(report, exitCode) {
  const files = /** @type {VitestFile[]} */ (read(report)?.testResults ?? [])
  let passed = 0
  let failed = 0
  for (const file of files) {
    const failedTests = count(file.assertionResults, 'failed')
    passed += count(file.assertionResults, 'passed')
    // A file that cannot be loaded fails without one failing test in it.
    failed += file.status === 'failed' ? Math.max(failedTests, 1) : failedTests
  }
  const times = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      title: fullName,
      file: relative(root, name),
      ms: duration ?? 0,
    })),
  )
  return { ...withExitCode(passed, failed, exitCode), times }
}

/**
 * @param {string} report Playwright's JSON report
 * @param {number} exitCode
 * @returns {SuiteResult} a test that passed only when repeated has passed; their number is printed in a line of its own
 */
export function readPlaywrightReport(report, exitCode) {
  const content = read(report)
  const { expected, unexpected, flaky } = content?.stats ?? { expected: 0, unexpected: 0, flaky: 0 }
  if (flaky > 0) console.error(`${flaky} passed only when repeated: see the list above.`)
  const folder = content?.config?.rootDir ?? root
  const times = playwrightTests(content ?? {}).map(({ title, file, tests }) => ({
    title,
    file: relative(root, `${folder}/${file}`),
    ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
  }))
  return { ...withExitCode(expected + flaky, unexpected, exitCode), times }
}

/**
 * @param {readonly TestTime[]} times
 * @param {number} count how many to list
 * @returns {string[]} a line for each, the slowest first
 */
export function slowestTests(times, count) {
  return times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ title, file, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}: ${title}`)
}

/**
 * @param {PlaywrightGroup} group
 * @returns {PlaywrightTest[]}
 */
function playwrightTests({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(playwrightTests)]
}

/**
 * A suite that ran nothing, or ended badly without a failing test to show for it, has failed.
 *
 * @param {number} passed
 * @param {number} failed
 * @param {number} exitCode
 */
function withExitCode(passed, failed, exitCode) {
  if (passed + failed === 0) console.error('No test ran.')
  const failedOtherwise = failed === 0 && (passed === 0 || exitCode !== 0)
  return { passed, failed: failedOtherwise ? 1 : failed }
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
