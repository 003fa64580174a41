import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage } from '../../src/domain/errors.ts'
import { StartError } from '../log.ts'
import { sqliteCode, writeObstacle } from './storeError.ts'

/** The files of the lock, in the folder. */
export const lockFiles = ['server.lock', 'server.pid'] as const

/** A folder that is this server's alone. */
export interface FolderLock {
  /**
   * When the server before this one started, in milliseconds since 1970, if it ended without its will: by an error, a
   * `kill -9`, or the end of the machine.
   */
  cutOff?: number
  /** To be called when this server begins to end because it was asked to: it may not come to its last step. */
  endsByWill(): void
  release(): void
}

/**
 * Keeps a second server out of a folder until it is released or the process ends, however it ends.
 *
 * The lock is the one that the operating system holds on an open file, by way of SQLite because Node has no function for
 * it: it cannot be left behind by `kill -9`, and process numbers that repeat (containers) cannot fool it.
 * The number beside it serves the message, and shows when it is left behind that a server did not end as it should.
 *
 * @throws StartError when another server holds it
 */
export function lockFolder(folder: string): FolderLock {
  const [lockName, pidName] = lockFiles
  const pidFile = join(folder, pidName)
  const file = acquire(join(folder, lockName), folder, pidFile)
  const cutOff = statSync(pidFile, { throwIfNoEntry: false })?.mtimeMs
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    file.close()
    refuseFullDisk(error, folder)
    throw error
  }
  let isHeld = true
  const endsByWill = () => rmSync(pidFile, { force: true })
  return {
    cutOff,
    endsByWill,
    release() {
      if (!isHeld) return
      isHeld = false
      endsByWill()
      file.close()
    },
  }
}

function acquire(path: string, folder: string, pidFile: string): DatabaseSync {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    // Without a journal file: there is nothing to roll back.
    file.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
    return file
  } catch (error) {
    file?.close()
    if (isBusy(error)) {
      throw new StartError(
        `Another server${processOf(pidFile)} is using the data folder ${folder}: stop it first, or set DATA_DIR to another folder.`,
      )
    }
    refuseFullDisk(error, folder)
    throw new StartError(
      `The data folder ${folder} cannot be locked (${errorMessage(error)}): set DATA_DIR to a folder on a local disk that you can write.`,
      { cause: error },
    )
  }
}

/** @throws StartError when this error says that the disk of the folder is full */
export function refuseFullDisk(error: unknown, folder: string): void {
  if (writeObstacle(error) !== 'full') return
  throw new StartError(`The disk of ${folder} is full: free some space and start again.`, { cause: error })
}

/** SQLite's number for "somebody else holds the lock". */
const busy = 5

function isBusy(error: unknown): boolean {
  return (sqliteCode(error) ?? 0) % 256 === busy
}

function processOf(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`
  } catch {
    // It may hold the lock and not have written its number yet.
    return ''
  }
}
