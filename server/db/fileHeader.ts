import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../src/domain/errors.ts'
import { reserveEnding } from './diskReserve.ts'
import { damaged, emptied, gone, isFolder, newer, StoreError, storeErrorMessage } from './storeError.ts'

const magic = 'SQLite format 3\0'
const versionOffset = 60
const length = 64
/** What SQLite adds to the name of a database for the file with its latest writes. */
const journals = ['-wal', '-journal']
/** A message has to stay a sentence. */
const maxNamedFiles = 8

/**
 * Checks that a file is a database of a supported version, before SQLite opens it: opening alone would create files
 * beside it, and an empty one would be taken for a new one. A missing file is accepted unless its journal is there.
 * @throws StoreError
 */
export function checkDatabaseFile(path: string, knownVersion: number): void {
  const header = readHeader(path)
  if (!header) {
    // SQLite would lay the journal of the lost database over the new one.
    if (journals.some((ending) => sizeOf(path + ending) > 0)) throw new StoreError(gone(path, filesBeside(path)))
    return
  }
  if (header.length === 0) throw new StoreError(emptied(path, filesBeside(path)))
  if (header.toString('latin1', 0, magic.length) !== magic) throw new StoreError(damaged(path))
  const version = header.readInt32BE(versionOffset)
  if (version > knownVersion) throw new StoreError(newer(path, version, knownVersion))
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** What a server makes anew when it is missing, which says nothing about a lost database. */
const ofServer = (name: string) => name.startsWith('server.') || name.endsWith(reserveEnding)

/** Names and sizes of what is in the folder of a file, as "audit.log (12 bytes)". */
function filesBeside(path: string): string[] {
  const folder = dirname(path)
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !ofServer(entry.name) && entry.name !== basename(path))
    .map(({ name }) => `${name} (${statSync(join(folder, name)).size} bytes)`)
    .sort()
    .slice(0, maxNamedFiles)
}

/** The first bytes; fewer than `length` of a short file. */
function readHeader(path: string): Buffer | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    const cannotOpen = Object.assign(new Error('cannot open'), { errcode: 14 })
    throw new StoreError(storeErrorMessage(path, cannotOpen), { cause: error })
  }
  try {
    if (fstatSync(file).isDirectory()) throw new StoreError(isFolder(path))
    const header = Buffer.alloc(length)
    return readSync(file, header) === 0 ? Buffer.alloc(0) : header
  } finally {
    closeSync(file)
  }
}
