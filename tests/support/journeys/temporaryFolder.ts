import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from './journey.ts'

/** A folder of its own for each test of a file, whose path has no link in it; it is removed afterwards. */
export function temporaryFolderOfEachTest(): { readonly path: string } {
  const folder = { path: '' }
  test.beforeEach(() => {
    folder.path = realpathSync(mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-')))
  })
  test.afterEach(() => rmSync(folder.path, { recursive: true, force: true }))
  return folder
}
