import { copyFileSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode } from '../../src/domain/errors.ts'
import { StartError } from '../log.ts'
import { syncToDisk } from './createBackup.ts'
import { isWhole } from './inspectDatabase.ts'
import { StoreError } from './storeError.ts'

/** SQLite's write-ahead log: holds the latest writes while the database is in use, and after a crash. */
const walSuffix = '-wal'
/** SQLite's shared-memory index of the log, which it creates again. */
const shmSuffix = '-shm'

/** What a copy has to be, to be taken for a database of ours. */
interface ExpectedDatabase {
  /** The latest version that this program understands. */
  version: number
  /** Names of tables that it has. */
  tables: readonly string[]
}

/** `wheelhouse.db`. @param version the latest version that this program understands */
export const mainDatabase = (version: number): ExpectedDatabase => ({ version, tables: ['value', 'user'] })

/** `history.db`, whose tables are made as they are needed. */
export const historyDatabase: ExpectedDatabase = { version: 0, tables: ['progress'] }

/**
 * Puts a copy of a database into the place of the present one, which is kept beside it. The copy is looked through
 * first; until it has passed, nothing of the present one is touched. The caller holds the lock of the folder.
 * @param expected what the copy has to be
 * @returns where the database from before is now; nothing when there was none
 * @throws StartError or StoreError with a sentence for the operator
 */
export function restoreBackup(backup: string, database: string, expected: ExpectedDatabase): string | undefined {
  checkBackupFile(backup, database)
  const restored = `${database}.restoring`
  removeAll(restored)
  try {
    copyBackup(backup, restored)
    validateCopy(restored, backup, expected)
    syncToDisk(restored)
    const archived = archive(database)
    renameSync(restored, database)
    if (process.platform !== 'win32') syncToDisk(dirname(database))
    return archived
  } catch (error) {
    removeAll(restored)
    throw error
  }
}

function checkBackupFile(backup: string, database: string): void {
  const found = statSync(backup, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new StartError(`There is no file ${backup}: name one that "backup" has written.`)
  if (existsSync(database) && realpathSync(backup) === realpathSync(database)) {
    throw new StartError(`${backup} is the database itself: name one that "backup" has written.`)
  }
}

function copyBackup(backup: string, restored: string): void {
  try {
    copyFileSync(backup, restored)
    // Somebody who copied the files of a killed server by hand has the latest writes in a file of their own.
    if (existsSync(backup + walSuffix)) copyFileSync(backup + walSuffix, restored + walSuffix)
  } catch (error) {
    throw new StartError(
      `${backup} cannot be copied into ${dirname(restored)} (${errorCode(error)}); nothing was changed.`,
      { cause: error },
    )
  }
}

/** @throws StoreError unless the copy is a whole database that this program understands */
function validateCopy(restored: string, backup: string, { version: knownVersion, tables }: ExpectedDatabase): void {
  let copy: DatabaseSync | undefined
  try {
    copy = new DatabaseSync(restored)
    const version = Number(copy.prepare('PRAGMA user_version').get()?.user_version)
    if (version > knownVersion) {
      throw new StoreError(
        `${backup} has version ${version}, and this Wheelhouse knows versions up to ${knownVersion}: install the newer Wheelhouse that wrote it. Nothing was changed.`,
      )
    }
    const names = copy.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    const hasTables = tables.every((table) => names.some(({ name }) => name === table))
    if (!isWhole(copy) || !hasTables) throw damaged(backup)
  } catch (error) {
    throw error instanceof StoreError ? error : damaged(backup, error)
  } finally {
    copy?.close()
  }
}

const damaged = (backup: string, cause?: unknown) =>
  new StoreError(`${backup} is damaged or no database of Wheelhouse: take another copy. Nothing was changed.`, {
    cause,
  })

/**
 * Keeps the present database under another name, damaged or not, and leaves it in its place: a program that is killed
 * now must not make the next start begin with an empty one.
 */
function archive(database: string): string | undefined {
  const time = new Date().toISOString().replaceAll(/[-:]/g, '').replace('.', '')
  const archived = `${database}.before-restore-${time}`
  const isThere = existsSync(database)
  if (isThere) {
    checkpoint(database)
    copyFileSync(database, archived)
    syncToDisk(archived)
  }
  // SQLite would lay the old one's latest writes over the new one, also where the old one itself is lost.
  if (existsSync(database + walSuffix)) renameSync(database + walSuffix, archived + walSuffix)
  rmSync(database + shmSuffix, { force: true })
  return isThere ? archived : undefined
}

/** Takes the latest writes of a killed server into the file. */
function checkpoint(database: string): void {
  let present: DatabaseSync | undefined
  try {
    present = new DatabaseSync(database)
    present.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Too damaged to open, and perhaps the very reason to restore: then its files are kept as they are.
  } finally {
    present?.close()
  }
}

function removeAll(path: string): void {
  for (const ending of ['', walSuffix, shmSuffix]) rmSync(path + ending, { force: true })
}
