import type { Stats } from 'node:fs'
import { constants, open, readlink, stat } from 'node:fs/promises'
import os from 'node:os'
import { absolutePath, parentFolder } from './bytePath.ts'
import { errorCode } from './toFileError.ts'

/** The file that an upload is for. */
export interface UploadTarget {
  /** Where it is, or is to be made: the end of all links. */
  real: Buffer
  /** Nothing when it is to be made. */
  existing: Stats | undefined
}

/** As the system itself counts. */
const mostLinks = 40
const { O_NONBLOCK = 0, O_WRONLY } = constants

/**
 * Finds the file that opening `path` for writing would write, and whether it may be written at all.
 * @throws the error of the system that opening it would give
 */
export async function findUploadTarget(path: Buffer): Promise<UploadTarget> {
  if (path.length === 0) throw failure('ENOENT')
  const existing = await statIfThere(path)
  if (!existing) {
    const real = await endOfLinks(path)
    if (isFolderName(real)) throw failure('EISDIR')
    return { real, existing }
  }
  if (existing.isDirectory()) throw failure('EISDIR')
  // Links below /proc lead to what has no path of its own.
  if (!existing.isFile()) return { real: path, existing }
  await refuseUnwritable(path)
  return { real: await endOfLinks(path), existing }
}

async function statIfThere(path: Buffer): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Replacing asks for rights on the folder only, but nobody expects a read-only file to change. */
async function refuseUnwritable(path: Buffer): Promise<void> {
  try {
    const file = await open(path, O_WRONLY | O_NONBLOCK)
    await file.close()
  } catch (error) {
    // A running program cannot be written, but it can be replaced.
    if (errorCode(error) !== 'ETXTBSY') throw error
  }
}

/** Links are followed by hand, for the last may lead to a file that is yet to be made. */
async function endOfLinks(path: Buffer): Promise<Buffer> {
  let at = path
  for (let links = 0; links < mostLinks; links++) {
    const next = await linkAt(at)
    if (!next) return at
    at = absolutePath(next, parentFolder(at))
  }
  throw failure('ELOOP')
}

async function linkAt(path: Buffer): Promise<Buffer | undefined> {
  try {
    return await readlink(path, { encoding: 'buffer' })
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

const isFolderName = (path: Buffer) => path.at(-1) === '/'.charCodeAt(0)

/** As if the system had said it. */
function failure(code: keyof typeof os.constants.errno): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code, errno: -os.constants.errno[code] })
}
