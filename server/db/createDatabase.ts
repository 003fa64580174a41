import { chmodSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { syncToDisk } from './createBackup.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { StoreError, storeErrorMessage } from './storeError.ts'

/**
 * Makes a new database under another name, and gives it its own when it is whole: a process that is killed meanwhile
 * leaves no empty file that looks like a lost database.
 */
export function createDatabase(path: string, migrations: readonly Migration[]): void {
  const part = `${path}.new`
  const removePart = () => {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(part + ending, { force: true })
  }
  let database: DatabaseSync | undefined
  try {
    removePart()
    database = new DatabaseSync(part)
    chmodSync(part, 0o600)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    migrate(database, part, migrations)
    database.close()
    renameSync(part, path)
    if (process.platform !== 'win32') syncToDisk(dirname(path))
  } catch (error) {
    if (database?.isOpen) database.close()
    removePart()
    throw new StoreError(storeErrorMessage(path, error), { cause: error })
  }
}
