import type { Stats } from 'node:fs'
import { constants, open, readlink, stat } from 'node:fs/promises'
import os from 'node:os'
import { errorCode } from '../../../../../src/domain/errors.ts'
import { absolutePath, parentFolder } from './bytePath.ts'

/** The file to write by an upload. */
export interface UploadTarget {
  /** Its absolute path, with all links followed. */
  real: Buffer
  /** `undefined` if it must be created. */
  existing: Stats | undefined
}

/** The limit of Linux. */
const maxLinks = 40
const { O_NONBLOCK = 0, O_WRONLY } = constants

/**
 * Finds the file that would be written if `path` was opened for writing.
 * @throws the system's error if it may not be written
 */
export async function findUploadTarget(path: Buffer): Promise<UploadTarget> {
  if (path.length === 0) throw systemError('ENOENT')
  const existing = await statIfThere(path)
  if (!existing) {
    const real = await followLinks(path)
    if (isFolderName(real)) throw systemError('EISDIR')
    return { real, existing }
  }
  if (existing.isDirectory()) throw systemError('EISDIR')
  // Links in /proc can lead to files without a path.
  if (!existing.isFile()) return { real: path, existing }
  await checkWritable(path)
  return { real: await followLinks(path), existing }
}

async function statIfThere(path: Buffer): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Replacing a file needs permissions for the folder only, but a read-only file must not change. */
async function checkWritable(path: Buffer): Promise<void> {
  try {
    const file = await open(path, O_WRONLY | O_NONBLOCK)
    await file.close()
  } catch (error) {
    // A running program cannot be written, but replaced.
    if (errorCode(error) !== 'ETXTBSY') throw error
  }
}

/** `realpath` would fail for a link to a file that does not exist yet. */
async function followLinks(path: Buffer): Promise<Buffer> {
  let target = path
  for (let links = 0; links < maxLinks; links++) {
    const next = await readLink(target)
    if (!next) return target
    target = absolutePath(next, parentFolder(target))
  }
  throw systemError('ELOOP')
}

async function readLink(path: Buffer): Promise<Buffer | undefined> {
  try {
    return await readlink(path, { encoding: 'buffer' })
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

const isFolderName = (path: Buffer) => path.at(-1) === '/'.charCodeAt(0)

/** An error like those of system calls. */
function systemError(code: keyof typeof os.constants.errno): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code, errno: -os.constants.errno[code] })
}
