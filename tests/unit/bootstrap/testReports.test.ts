import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  listFailures,
  readPlaywrightReport,
  readVitestReport,
  slowestTests,
} from '../../../scripts/bootstrap/testReports.mjs'
import { root } from '../../support/root.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

function report(content: unknown): string {
  const file = join(temporaryFolder(), 'report.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

function vitestFile(status: string, ...tests: string[]) {
  return {
    status,
    name: join(root, 'tests/unit/some.test.ts'),
    assertionResults: tests.map((test, index) => ({ status: test, fullName: `test ${index}`, duration: 1000 + index })),
  }
}

describe('the last line of npm test', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })

  it('counts passed and failed tests', () => {
    const file = report({ testResults: [vitestFile('passed', 'passed', 'passed'), vitestFile('failed', 'failed')] })
    expect(readVitestReport(file, 1)).toMatchObject({ passed: 2, failed: 1 })
    expect(readPlaywrightReport(report({ stats: { expected: 5, unexpected: 2, flaky: 0 } }), 1)).toMatchObject({
      passed: 5,
      failed: 2,
    })
  })

  it('counts a test file that cannot be loaded as one failure', () => {
    const file = report({ testResults: [vitestFile('passed', 'passed'), vitestFile('failed')] })
    expect(readVitestReport(file, 1)).toMatchObject({ passed: 1, failed: 1 })
  })

  it('counts a browser test that passed only when repeated as passed', () => {
    const file = report({ stats: { expected: 1, unexpected: 0, flaky: 1 } })
    expect(readPlaywrightReport(file, 0)).toMatchObject({ passed: 2, failed: 0 })
  })

  it('never says 0 failed when a runner ended badly', () => {
    const file = report({ testResults: [vitestFile('passed', 'passed')] })
    expect(readVitestReport(file, 1)).toMatchObject({ passed: 1, failed: 1 })
  })

  it('takes a suite without tests, or without a report, for a failure', () => {
    expect(readVitestReport(report({ testResults: [] }), 0)).toMatchObject({ passed: 0, failed: 1 })
    expect(readPlaywrightReport(join(temporaryFolder(), 'absent.json'), 0)).toMatchObject({ passed: 0, failed: 1 })
  })
})

describe('the slowest tests at the end of npm test', () => {
  it('are those of all runners, the slowest first, with their file', () => {
    const vitest = readVitestReport(report({ testResults: [vitestFile('passed', 'passed', 'passed')] }), 0)
    const spec = {
      title: 'a journey',
      file: 'lists/list.test.ts',
      tests: [{ results: [{ duration: 700 }, { duration: 800 }] }],
    }
    const playwright = readPlaywrightReport(
      report({
        config: { rootDir: join(root, 'tests/e2e') },
        stats: { expected: 1, unexpected: 0, flaky: 0 },
        suites: [{ suites: [{ specs: [spec] }] }],
      }),
      0,
    )
    expect(slowestTests([...vitest.times, ...playwright.times], 2)).toEqual([
      '   1.5 s  tests/e2e/lists/list.test.ts: a journey',
      '   1.0 s  tests/unit/some.test.ts: test 1',
    ])
  })
})

describe('the failures at the end of npm test', () => {
  it('are named with their file and the beginning of the error, apart from those that passed when repeated', () => {
    const vitest = readVitestReport(
      report({
        testResults: [
          {
            status: 'failed',
            name: join(root, 'tests/unit/some.test.ts'),
            assertionResults: [
              { status: 'passed', fullName: 'is fine', failureMessages: [] },
              {
                status: 'failed',
                fullName: 'is broken',
                failureMessages: [`\u001B[31mError: no\u001B[39m\n  at line 1`],
              },
              { status: 'passed', fullName: 'is slow', failureMessages: ['Error: timeout'] },
            ],
          },
          {
            status: 'failed',
            name: join(root, 'tests/unit/bad.test.ts'),
            message: 'cannot load',
            assertionResults: [],
          },
        ],
      }),
      1,
    )
    expect(listFailures(vitest.failures, false)).toEqual([
      '  tests/unit/some.test.ts: is broken',
      '    Error: no at line 1',
      '  tests/unit/bad.test.ts: the file itself',
      '    cannot load',
    ])
    expect(listFailures(vitest.failures, true)).toEqual(['  tests/unit/some.test.ts: is slow', '    Error: timeout'])
  })

  it('are those of journeys, too', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'lists/list.test.ts',
      tests: [{ status, results: [{ duration: 1, error: { message: 'not visible' } }, { duration: 1 }] }],
    })
    const { failures } = readPlaywrightReport(
      report({
        config: { rootDir: join(root, 'tests/e2e') },
        stats: { expected: 1, unexpected: 1, flaky: 1 },
        suites: [{ specs: [spec('good', 'expected'), spec('broken', 'unexpected'), spec('slow', 'flaky')] }],
      }),
      1,
    )
    expect(listFailures(failures, false)).toEqual(['  tests/e2e/lists/list.test.ts: broken', '    not visible'])
    expect(listFailures(failures, true)).toEqual(['  tests/e2e/lists/list.test.ts: slow', '    not visible'])
  })
})
