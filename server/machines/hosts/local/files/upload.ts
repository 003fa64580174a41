import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { constants, type FileHandle, open, readlink, rename, stat, unlink } from 'node:fs/promises'
import os from 'node:os'
import { errorCode } from '../../../../../src/domain/errors.ts'
import { isUploadPartName } from '../../../../../src/schemas/inspect/fileUploads.ts'
import { once } from '../../../../concurrency/once.ts'
import type { FileSink, UploadMethod } from '../../files.ts'
import { absolutePath, joinPath, parentFolder } from './bytePath.ts'
import { throwAsFileError, toFileError } from './toFileError.ts'

/** Mode of new files, as with the usual umask; the server's own umask is stricter. */
const newFileMode = 0o644
const { O_CREAT, O_EXCL, O_NOCTTY = 0, O_NONBLOCK = 0, O_RDONLY, O_TRUNC, O_WRONLY } = constants

/** Errors when creating the temporary file after which writing in place would fail too. */
const outOfSpace = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']
/** Errors when renaming after which writing in place is possible: a mounted file, or a folder like /tmp. */
const cannotRename = ['EBUSY', 'EPERM', 'EACCES', 'EXDEV']

/**
 * Starts to write a file; see docs/decisions/uploads.md.
 * @param real its absolute path
 * @param path the requested path, for error messages
 * @throws FileError
 */
export async function beginUpload(real: Buffer, path: Uint8Array): Promise<FileSink> {
  try {
    const target = await findUploadTarget(real)
    const { existing } = target
    if (existing && !existing.isFile()) return await writeDevice(target.real, path)
    // What has arrived of it has to be there after a cut: it gets its name when all of it is there.
    if (isUploadPartName(nameOf(target.real))) return await writeFileInPlace(target.real, path)
    const temporary = await createTemporaryFile(target)
    return temporary ? sinkTo(temporary, target, path) : await writeFileInPlace(target.real, path)
  } catch (error) {
    throw toFileError('open', path, error)
  }
}

const nameOf = (path: Buffer) => path.subarray(path.lastIndexOf('/') + 1).toString('latin1')

/** A file beside the target that receives the content. */
interface TemporaryFile {
  file: FileHandle
  temporaryPath: Buffer
  /** Whether it can replace the target without loss: it has the same owner, and the target has one hard link. */
  canReplace: boolean
}

/** @returns `undefined` when none can be created and the target must be written in place */
async function createTemporaryFile({ real, existing }: UploadTarget): Promise<TemporaryFile | undefined> {
  const temporaryPath = joinPath(
    parentFolder(real),
    Buffer.from(`.wheelhouse-upload-${randomBytes(8).toString('hex')}`),
  )
  try {
    const file = await open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    const canReplace = existing === undefined || (existing.nlink === 1 && (await hasSetOwner(file, existing)))
    return { file, temporaryPath, canReplace }
  } catch (error) {
    if (existing && !outOfSpace.includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

async function hasSetOwner(file: FileHandle, { uid, gid }: { uid: number; gid: number }): Promise<boolean> {
  try {
    const own = await file.stat()
    if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid)
    return true
  } catch {
    // Only root may change the owner.
    return false
  }
}

function sinkTo(
  { file, temporaryPath, canReplace }: TemporaryFile,
  { real, existing }: UploadTarget,
  path: Uint8Array,
): FileSink {
  const close = once(() => file.close())

  async function replaceTarget(): Promise<UploadMethod> {
    if (canReplace) {
      await file.chmod(existing ? existing.mode & 0o7777 : newFileMode)
      // After a power failure, the file has either the old or the new content.
      if (existing) await file.datasync()
    }
    await close()
    if (canReplace && (await hasRenamed(temporaryPath, real))) return existing ? 'replaced' : 'created'
    await copyInPlace(temporaryPath, real)
    await unlink(temporaryPath)
    return 'in place'
  }

  return {
    write: (pieces) => writeAll(file, pieces).catch(throwAsFileError('write', path)),
    finish: () => replaceTarget().catch(throwAsFileError('write', path)),
    async abort() {
      await close().catch(() => {})
      // It may be renamed already.
      await unlink(temporaryPath).catch(() => {})
    },
  }
}

async function hasRenamed(temporaryPath: Buffer, real: Buffer): Promise<boolean> {
  try {
    await rename(temporaryPath, real)
    return true
  } catch (error) {
    if (cannotRename.includes(errorCode(error) ?? '')) return false
    throw error
  }
}

/** The file to write by an upload. */
interface UploadTarget {
  /** Its absolute path, with all links followed. */
  real: Buffer
  /** `undefined` if it must be created. */
  existing: Stats | undefined
}

/** The limit of Linux. */
const maxLinks = 40

/**
 * Finds the file that would be written if `path` was opened for writing.
 * @throws the system's error if it may not be written
 */
async function findUploadTarget(path: Buffer): Promise<UploadTarget> {
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

const copyBytes = 1024 * 1024

/** Opens a file to replace its content in place. @param path the requested path, for error messages */
async function writeFileInPlace(real: Buffer, path: Uint8Array): Promise<FileSink> {
  return inPlaceSink(await openInPlace(real, O_TRUNC), path)
}

/** Opens a device or a pipe for writing. @param path the requested path, for error messages */
async function writeDevice(real: Buffer, path: Uint8Array): Promise<FileSink> {
  return inPlaceSink(await openInPlace(real, 0), path)
}

/** Copies the content of a file into another one, whose owner, mode and hard links stay. */
async function copyInPlace(from: Buffer, to: Buffer): Promise<void> {
  const source = await open(from, O_RDONLY)
  try {
    const target = await openInPlace(to, O_TRUNC)
    try {
      const buffer = Buffer.allocUnsafe(copyBytes)
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, copyBytes, null)
        if (bytesRead === 0) break
        await writeAll(target, [buffer.subarray(0, bytesRead)])
      }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Writes all pieces at the current position, in several calls if the system writes only a part. */
async function writeAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  for (let remaining = pieces; remaining.length > 0; ) {
    const { bytesWritten } = await file.writev(remaining as Uint8Array[])
    remaining = withoutFirst(remaining, bytesWritten)
  }
}

/** The pieces without this many bytes at their start. */
function withoutFirst(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes
  return pieces.flatMap((piece) => {
    const rest = piece.subarray(Math.min(skip, piece.length))
    skip -= piece.length - rest.length
    return rest.length > 0 ? [rest] : []
  })
}

function inPlaceSink(file: FileHandle, path: Uint8Array): FileSink {
  const close = once(() => file.close())
  return {
    write: (pieces) => writeAll(file, pieces).catch(throwAsFileError('write', path)),
    async finish() {
      await close().catch(throwAsFileError('write', path))
      return 'in place'
    },
    abort: () => close().catch(() => {}),
  }
}

/** Does not block: a pipe without a reader is an error. */
function openInPlace(path: Buffer, flags: number): Promise<FileHandle> {
  return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | flags)
}
