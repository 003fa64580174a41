import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode } from '../../src/domain/errors.ts'
import { StartError } from '../log.ts'
import { checkDatabaseFile } from './fileHeader.ts'
import { isWhole } from './inspectDatabase.ts'
import { StoreError, sqliteCode, storeErrorMessage } from './storeError.ts'

/**
 * Writes a copy of a database as it is at this moment, while a server may go on working with it. The copy is one file
 * that only its owner can read, and has its name only once it is complete, checked and on the disk.
 * @param target a file that must not exist yet
 * @throws StartError or StoreError with a sentence for the operator
 */
export function createBackup(database: string, target: string): void {
  if (existsSync(target)) throw new StartError(`${target} is there already: choose another name, or move it away.`)
  checkDatabaseFile(database, Number.POSITIVE_INFINITY)
  checkWritable(dirname(target))
  const part = `${target}.part`
  // A backup that was killed may have left it.
  rmSync(part, { force: true })
  try {
    // Private before there is anything in it.
    closeSync(openSync(part, 'wx', 0o600))
    copy(database, part, target)
    checkCopy(part, target)
    syncToDisk(part)
    renameSync(part, target)
    if (process.platform !== 'win32') syncToDisk(dirname(target))
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Where the copy of the history is that belongs to a copy of the database: `monday.history.db` beside `monday.db`. */
export const historyBeside = (copy: string): string => copy.replace(/(\.db)?$/, '.history.db')

/** Waits until a file, or the names in a folder, are on the disk. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function copy(database: string, part: string, target: string): void {
  let source: DatabaseSync | undefined
  try {
    // Not read-only: such a connection leaves SQLite's -wal and -shm files behind where no server runs.
    source = new DatabaseSync(database, { timeout: 5000 })
    source.prepare('VACUUM INTO ?').run(part)
  } catch (error) {
    const isFull = sqliteCode(error) === 13
    throw new StoreError(storeErrorMessage(isFull ? target : database, error), { cause: error })
  } finally {
    source?.close()
  }
}

/** @throws StoreError when the copy cannot be read back as a whole */
function checkCopy(part: string, target: string): void {
  const copied = new DatabaseSync(part, { readOnly: true })
  try {
    if (isWhole(copied)) return
  } catch {
    // A file that cannot be read is not whole either.
  } finally {
    copied.close()
  }
  throw new StoreError(
    `The copy for ${target} is damaged and was removed: check the disk of its folder, and try again.`,
  )
}

/** @throws StartError when no file can be made there */
export function checkWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `The folder ${folder} cannot be written (${errorCode(error)}): name a file in a folder that you can write.`,
      { cause: error },
    )
  }
}
