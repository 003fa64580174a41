import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './paths.mjs'

/**
 * @typedef {{ title: string, file: string, ms: number }} TestTime `file` is relative to the project's folder
 * @typedef {{ title: string, file: string, error: string, repeated: boolean }} TestFailure `repeated`: the test passed
 *   when it was repeated; `error` is the beginning of what was thrown
 * @typedef {{ passed: number, failed: number, times: TestTime[], failures: TestFailure[] }} SuiteResult a suite without
 *   tests counts only when it fails, as one
 * @typedef {{ status: string, fullName: string, duration?: number | null, failureMessages?: string[] }} VitestTest
 * @typedef {{ status: string, name: string, message?: string, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ duration: number, error?: { message?: string } }} PlaywrightResult
 * @typedef {{ status: string, results: PlaywrightResult[] }} PlaywrightTest `status` as Playwright names it: expected,
 *   unexpected, flaky, skipped
 * @typedef {{ title: string, file: string, tests: PlaywrightTest[] }} PlaywrightSpec
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightGroup[] }} PlaywrightGroup
 */

/** Characters of an error that are printed once more at the end. */
const errorLength = 400

/**
 * @param {string} report vitest's JSON report
 * @param {number} exitCode
 * @returns {SuiteResult} a test that passed only when repeated has passed; it is one of the failures, too
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
  return { ...withExitCode(passed, failed, exitCode), times, failures: files.flatMap(vitestFailures) }
}

/**
 * @param {VitestFile} file
 * @returns {TestFailure[]}
 */
function vitestFailures({ status, name, message = '', assertionResults }) {
  const file = relative(root, name)
  const failures = assertionResults
    .filter(({ failureMessages = [] }) => failureMessages.length > 0)
    .map((test) => ({
      title: test.fullName,
      file,
      error: excerpt(test.failureMessages?.[0]),
      repeated: test.status === 'passed',
    }))
  if (status === 'failed' && failures.every(({ repeated }) => repeated)) {
    failures.push({ title: 'the file itself', file, error: excerpt(message), repeated: false })
  }
  return failures
}

/**
 * @param {string} report Playwright's JSON report
 * @param {number} exitCode
 * @returns {SuiteResult} a test that passed only when repeated has passed; it is one of the failures, too
 */
export function readPlaywrightReport(report, exitCode) {
  const content = read(report)
  const { expected, unexpected, flaky } = content?.stats ?? { expected: 0, unexpected: 0, flaky: 0 }
  const folder = content?.config?.rootDir ?? root
  const specs = playwrightSpecs(content ?? {}).map((spec) => ({
    ...spec,
    file: relative(root, `${folder}/${spec.file}`),
  }))
  const times = specs.map(({ title, file, tests }) => ({
    title,
    file,
    ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
  }))
  const failures = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) => ({
        title,
        file,
        error: excerpt(results.find(({ error }) => error)?.error?.message),
        repeated: status === 'flaky',
      })),
  )
  return { ...withExitCode(expected + flaky, unexpected, exitCode), times, failures }
}

/**
 * @param {readonly TestFailure[]} failures
 * @param {boolean} repeated whether to list those that passed when they were repeated, or the others
 * @returns {string[]} two lines for each
 */
export function listFailures(failures, repeated) {
  return failures
    .filter((failure) => failure.repeated === repeated)
    .flatMap(({ title, file, error }) => [`  ${file}: ${title}`, `    ${error}`])
}

/**
 * @param {string} [message]
 * @returns {string} its beginning, in one line and without colours
 */
function excerpt(message = '') {
  return stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim().slice(0, errorLength)
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
 * @returns {PlaywrightSpec[]}
 */
function playwrightSpecs({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(playwrightSpecs)]
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
