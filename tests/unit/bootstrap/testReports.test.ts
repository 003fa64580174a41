import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPlaywrightReport, readVitestReport } from '../../../scripts/bootstrap/testReports.mjs'
import { root } from '../../support/root.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

function report(content: unknown): string {
  const file = join(temporaryFolder(), 'report.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

/** What vitest reports of one file with tests of these states. */
function vitestReport(status: string, ...tests: string[]): string {
  const assertionResults = tests.map((test, index) => ({ status: test, fullName: `test ${index}` }))
  const numPassedTests = tests.filter((test) => test === 'passed').length
  const name = join(root, 'tests/unit/some.test.ts')
  return report({ numPassedTests, testResults: [{ status, name, assertionResults }] })
}

describe('what npm test counts', () => {
  it('are passed and failed tests, and it names those that failed with their file', () => {
    expect(readVitestReport(vitestReport('failed', 'passed', 'failed', 'passed'), 1)).toEqual({
      passed: 2,
      failed: 1,
      failures: ['tests/unit/some.test.ts: test 1'],
    })
    const specs = [
      { title: 'good', file: 'lists/list.test.ts', ok: true },
      { title: 'broken', file: 'lists/list.test.ts', ok: false },
    ]
    const journeys = report({
      config: { rootDir: join(root, 'tests/e2e') },
      stats: { expected: 1, unexpected: 1 },
      suites: [{ suites: [{ specs }] }],
    })
    expect(readPlaywrightReport(journeys, 1)).toEqual({
      passed: 1,
      failed: 1,
      failures: ['tests/e2e/lists/list.test.ts: broken'],
    })
  })

  it('is one failure for a test file that cannot be loaded', () => {
    const failures = ['tests/unit/some.test.ts: the file itself']
    expect(readVitestReport(vitestReport('failed'), 1)).toEqual({ passed: 0, failed: 1, failures })
  })

  it('is never 0 failed when a runner ended badly', () => {
    expect(readVitestReport(vitestReport('passed', 'passed'), 1)).toMatchObject({ passed: 1, failed: 1 })
  })

  it('is a failure for a suite without tests, or without a report', () => {
    expect(readVitestReport(report({ numPassedTests: 0, testResults: [] }), 0)).toMatchObject({ passed: 0, failed: 1 })
    expect(readPlaywrightReport(join(temporaryFolder(), 'absent.json'), 0)).toMatchObject({ passed: 0, failed: 1 })
  })
})
