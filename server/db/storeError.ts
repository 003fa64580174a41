import { basename } from 'node:path'
import { errorCode, errorMessage } from '../../src/domain/errors.ts'
import { isObject } from '../../src/schemas/define/values.ts'

/** The database cannot be opened. The message is one sentence for the operator and says what to do. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/** SQLite's codes for a write or a file of shared memory that finds no space. */
const fullCodes = { primary: 13, sharedMemory: 4874 } as const
/** SQLite's code for a database that another program writes to. */
const busyCode = 5

/** Our own code for a database elsewhere that cannot be reached. */
const awayCode = 'WHEELHOUSE_AWAY'

/**
 * Why a write failed that will succeed later: the disk is full, another program holds the database, or the database
 * elsewhere cannot be reached.
 */
export type WriteObstacle = 'full' | 'busy' | 'away'

/** SQLite's code of an error, with the extended bits; `undefined` for any other error. */
export const sqliteCode = (error: unknown): number | undefined =>
  isObject(error) && typeof error.errcode === 'number' ? error.errcode : undefined

/** `undefined` for any other error. */
export function writeObstacle(error: unknown): WriteObstacle | undefined {
  const [errcode, code] = [sqliteCode(error), errorCode(error)]
  if (code === awayCode || code === crowdedCode) return 'away'
  if (code === 'ENOSPC' || errcode === fullCodes.sharedMemory) return 'full'
  const primary = errcode === undefined ? undefined : errcode & 0xff
  if (primary === fullCodes.primary) return 'full'
  return primary === busyCode ? 'busy' : undefined
}

/** The error of SQLite for a write that is not tried, because the disk was full a moment ago. */
export const diskFullError = () =>
  Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: fullCodes.primary })

/** The error of a write that is not tried, because it could not be made durable. */
export const awayError = () => Object.assign(new Error('the database cannot be reached'), { code: awayCode })

/** Our own code for a write that finds too many others waiting for the database elsewhere. */
const crowdedCode = 'WHEELHOUSE_CROWDED'

/** The error of a write that is not tried, because as much as may wait in memory does: there is room in a moment. */
export const crowdedError = () =>
  Object.assign(new Error('the database takes less than is to be saved'), { code: crowdedCode })

export const isCrowded = (error: unknown): boolean => errorCode(error) === crowdedCode

/** The error of a transaction that is larger than a database elsewhere takes at once. The message is for who has asked. */
export const tooLargeError = (does: 'changes' | 'sends', bytes: number, most: number) =>
  Object.assign(
    new Error(
      `this ${does} ${Math.ceil(bytes / 1024 ** 2)} MiB at once, and the database of the server takes ${Math.floor(most / 1024 ** 2)}: nothing was saved; do it in smaller parts`,
    ),
    { statusCode: 413 },
  )

/** Our own code for a read from a database elsewhere that was not answered. */
const unreadableCode = 'WHEELHOUSE_UNREADABLE'

/** The error of a read from a database elsewhere that cannot be reached, or has too much to do. */
export const unreadableError = (cause?: unknown) =>
  Object.assign(new Error('the database cannot be read', { cause }), { code: unreadableCode })

export const isUnreadable = (error: unknown): boolean => errorCode(error) === unreadableCode

/** What SQLite's primary result codes mean to an operator. */
export function storeErrorMessage(path: string, error: unknown): string {
  const code = sqliteCode(error)
  switch (code === undefined ? undefined : code & 0xff) {
    case busyCode:
    case 6:
      return `The database ${path} is in use by another program: end that program and start again.`
    case 8:
    case 14:
      return `The database ${path} cannot be written: give this user write access to it and its folder, or set DATA_DIR to another folder.`
    case 11:
    case 26:
      return damaged(path)
    case 13:
      return `The disk of ${path} is full: free some space and start again.`
    default:
      return `The database ${path} cannot be opened (${errorMessage(error)}): move it away to start afresh, or restore a copy.`
  }
}

export const damaged = (path: string) =>
  `The database ${path} is damaged or not a database: restore one of the copies beside it (${path}.before-...), or move it away to start afresh.`

export const newer = (path: string, found: number, latest: number) =>
  `The database ${path} has version ${found}, and this Wheelhouse knows versions up to ${latest}: start the newer Wheelhouse that wrote it, or set DATA_DIR to another folder.`

export const isFolder = (path: string) =>
  `${path} is a folder, and a file belongs there: move the folder away, or set DATA_DIR to another folder. Containers make such a folder where a file is mounted that does not exist.`

/** @param beside names and sizes of the files in its folder */
export const emptied = (path: string, beside: readonly string[]) =>
  `The database ${path} is an empty file, which is no new installation: what was in it is gone. ${whatToDo(path, beside)}`

/** @param beside names and sizes of the files in its folder */
export const gone = (path: string, beside: readonly string[]) =>
  `The database ${path} is missing and its journal is there, which is no new installation. ${whatToDo(path, beside)}`

const whatToDo = (path: string, beside: readonly string[]) =>
  `Put the file back or restore a copy ("wheelhouse restore FILE"); to start afresh, move away everything whose name begins with ${basename(path)}. ` +
  (beside.length > 0 ? `Beside it: ${beside.join(', ')}.` : 'Nothing is beside it.')

/** Writes what can be left out while the disk is full or another program holds the database. @returns whether it was written */
export function ifWritable(write: () => void): boolean {
  try {
    write()
    return true
  } catch (error) {
    if (!writeObstacle(error)) throw error
    return false
  }
}
