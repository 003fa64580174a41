import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from './journey.ts'

/**
 * Makes a folder for each test of a file, and removes it afterwards.
 * @param use gets its path, which has no link in it
 */
export function temporaryFolderOfEachTest(use: (path: string) => void): void {
  let folder: string
  test.beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-')))
    use(folder)
  })
  test.afterEach(() => rmSync(folder, { recursive: true, force: true }))
}
