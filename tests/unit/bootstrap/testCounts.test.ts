import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { countPlaywright, countVitest } from '../../../scripts/bootstrap/testCounts.mjs'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

function report(content: unknown): string {
  const file = join(temporaryFolder(), 'report.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

function vitestFile(status: string, ...tests: string[]) {
  return { status, assertionResults: tests.map((test) => ({ status: test })) }
}

describe('the last line of npm test', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })

  it('counts passed and failed tests', () => {
    const file = report({ testResults: [vitestFile('passed', 'passed', 'passed'), vitestFile('failed', 'failed')] })
    expect(countVitest(file, 1)).toEqual({ passed: 2, failed: 1 })
    expect(countPlaywright(report({ stats: { expected: 5, unexpected: 2, flaky: 0 } }), 1)).toEqual({
      passed: 5,
      failed: 2,
    })
  })

  it('counts a test file that cannot be loaded as one failure', () => {
    const file = report({ testResults: [vitestFile('passed', 'passed'), vitestFile('failed')] })
    expect(countVitest(file, 1)).toEqual({ passed: 1, failed: 1 })
  })

  it('tells apart a browser test that passed only when repeated', () => {
    const file = report({ stats: { expected: 1, unexpected: 0, flaky: 1 } })
    expect(countPlaywright(file, 0)).toEqual({ passed: 2, failed: 0 })
    expect(console.error).toHaveBeenCalledWith('1 passed only when repeated: see the list above.')
  })

  it('never says 0 failed when a runner ended badly', () => {
    const file = report({ testResults: [vitestFile('passed', 'passed')] })
    expect(countVitest(file, 1)).toEqual({ passed: 1, failed: 1 })
  })

  it('takes a suite without tests, or without a report, for a failure', () => {
    expect(countVitest(report({ testResults: [] }), 0)).toEqual({ passed: 0, failed: 1 })
    expect(countPlaywright(join(temporaryFolder(), 'absent.json'), 0)).toEqual({ passed: 0, failed: 1 })
  })
})
