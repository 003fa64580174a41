import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A new empty folder, removed when the test that asked for it is over: again, where a program that the test has started
 * writes something yet.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}
