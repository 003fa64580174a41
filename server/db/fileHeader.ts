import { closeSync, openSync, readSync } from 'node:fs'
import { damaged, newer, StoreError, storeErrorMessage } from './storeError.ts'

const magic = 'SQLite format 3\0'
const versionOffset = 60
const length = 64

/**
 * Checks that a file is a database of a supported version, before SQLite opens it: opening alone would create files
 * beside it. A missing or empty file is accepted.
 * @throws StoreError
 */
export function checkDatabaseFile(path: string, knownVersion: number): void {
  const header = readHeader(path)
  if (!header) return
  if (header.toString('latin1', 0, magic.length) !== magic) throw new StoreError(damaged(path))
  const version = header.readInt32BE(versionOffset)
  if (version > knownVersion) throw new StoreError(newer(path, version, knownVersion))
}

function readHeader(path: string): Buffer | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const cannotOpen = Object.assign(new Error('cannot open'), { errcode: 14 })
    throw new StoreError(storeErrorMessage(path, cannotOpen), { cause: error })
  }
  try {
    const header = Buffer.alloc(length)
    return readSync(file, header) === 0 ? undefined : header
  } finally {
    closeSync(file)
  }
}
