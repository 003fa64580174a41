import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './paths.mjs'

/**
 * @typedef {{ passed: number, failed: number, failures: string[] }} SuiteResult a suite without tests counts only when it
 *   fails, as one; `failures` names the tests that failed, with their files
 * @typedef {{ status: string, name: string, assertionResults: { status: string, fullName: string }[] }} VitestFile
 * @typedef {{ title: string, file: string, ok: boolean }} PlaywrightSpec
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightGroup[] }} PlaywrightGroup
 */

/**
 * @param {string} report vitest's JSON report
 * @param {number} exitCode
 * @returns {SuiteResult}
 */
export function readVitestReport(report, exitCode) {
  const content = read(report)
  const failures = /** @type {VitestFile[]} */ (content?.testResults ?? []).flatMap(
    ({ status, name, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName)
      // A file that cannot be loaded fails without one failing test in it.
      const titles = status === 'failed' && failed.length === 0 ? ['the file itself'] : failed
      return titles.map((title) => `${relative(root, name)}: ${title}`)
    },
  )
  return withExitCode(content?.numPassedTests ?? 0, failures, exitCode)
}

/**
 * @param {string} report Playwright's JSON report
 * @param {number} exitCode
 * @returns {SuiteResult}
 */
export function readPlaywrightReport(report, exitCode) {
  const content = read(report)
  const folder = content?.config?.rootDir ?? root
  const failures = specsOf(content ?? {})
    .filter(({ ok }) => !ok)
    .map(({ title, file }) => `${relative(root, `${folder}/${file}`)}: ${title}`)
  return withExitCode(content?.stats?.expected ?? 0, failures, exitCode)
}

/**
 * @param {number} exitCode
 * @returns {SuiteResult}
 */
export function withoutTests(exitCode) {
  return { passed: 0, failed: exitCode === 0 ? 0 : 1, failures: [] }
}

/**
 * @param {PlaywrightGroup} group
 * @returns {PlaywrightSpec[]}
 */
function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

/**
 * A suite that ran nothing, or ended badly without a failing test to show for it, has failed.
 *
 * @param {number} passed
 * @param {string[]} failures
 * @param {number} exitCode
 */
function withExitCode(passed, failures, exitCode) {
  const failedOtherwise = failures.length === 0 && (passed === 0 || exitCode !== 0)
  return { passed, failed: failedOtherwise ? 1 : failures.length, failures }
}

/** @param {string} report */
function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
}
