import { randomBytes } from 'node:crypto'
import { constants, type FileHandle, open, rename, unlink } from 'node:fs/promises'
import type { FileSink, UploadWay } from '../files.ts'
import { folderOf, within } from './bytePath.ts'
import { codeOf, fileFailure } from './fileFailure.ts'
import { findTarget, type UploadTarget } from './uploadTarget.ts'

/** What a new file may be used for, as if a shell had made it: the server's own umask keeps its own files secret. */
const newFileMode = 0o644
const copyBytes = 1024 * 1024
const { O_CREAT, O_EXCL, O_NOCTTY = 0, O_NONBLOCK = 0, O_TRUNC, O_WRONLY } = constants

/** Failures to make a file beside the target after which writing over the old content would be no better. */
const outOfSpace = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']
/** Failures to rename that do not keep the target from being written: mounted by itself, or in a folder like /tmp. */
const cannotRename = ['EBUSY', 'EPERM', 'EACCES', 'EXDEV']

/**
 * Begins to write a file; see docs/decisions/uploads.md.
 * @param real where it is
 * @param path as it was asked for
 * @throws FileError
 */
export async function beginUpload(real: Buffer, path: Uint8Array): Promise<FileSink> {
  try {
    const target = await findTarget(real)
    const { existing } = target
    if (existing && !existing.isFile()) return inPlace(await openInPlace(target.real, 0), path)
    const draft = await makeDraft(target)
    return draft ? drafted(draft, target, path) : inPlace(await openInPlace(target.real, O_TRUNC), path)
  } catch (error) {
    throw fileFailure('open', path, error)
  }
}

/** Content on its way to a file, in a file beside it. */
interface Draft {
  file: FileHandle
  place: Buffer
  /** Whether it may take the name of the target: it has its owner, and the target no other name. */
  canReplace: boolean
}

/** `undefined` when none can be made and the target is there to be written in place. */
async function makeDraft({ real, existing }: UploadTarget): Promise<Draft | undefined> {
  const place = within(folderOf(real), Buffer.from(`.wheelhouse-upload-${randomBytes(8).toString('hex')}`))
  try {
    const file = await open(place, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    const canReplace = existing === undefined || (existing.nlink === 1 && (await takesOwner(file, existing)))
    return { file, place, canReplace }
  } catch (error) {
    if (existing && !outOfSpace.includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

async function takesOwner(file: FileHandle, { uid, gid }: { uid: number; gid: number }): Promise<boolean> {
  try {
    const own = await file.stat()
    if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid)
    return true
  } catch {
    // Only root may give a file away.
    return false
  }
}

function drafted({ file, place, canReplace }: Draft, { real, existing }: UploadTarget, path: Uint8Array): FileSink {
  const close = onlyOnce(() => file.close())

  async function takePlace(): Promise<UploadWay> {
    if (canReplace) {
      await file.chmod(existing ? existing.mode & 0o7777 : newFileMode)
      // When the power fails, either content is there.
      if (existing) await file.datasync()
    }
    await close()
    if (canReplace && (await hasRenamed(place, real))) return existing ? 'replaced' : 'created'
    await copy(place, real)
    await unlink(place)
    return 'in place'
  }

  return {
    write: (chunk) => writeAll(file, chunk).catch(failWith('write', path)),
    finish: () => takePlace().catch(failWith('write', path)),
    async abort() {
      await close().catch(() => {})
      // It may be gone already; should it stay, its name says what it is.
      await unlink(place).catch(() => {})
    },
  }
}

async function hasRenamed(place: Buffer, real: Buffer): Promise<boolean> {
  try {
    await rename(place, real)
    return true
  } catch (error) {
    if (cannotRename.includes(codeOf(error) ?? '')) return false
    throw error
  }
}

/** Writes one file over the content of another: its owner, its mode and its other names stay. */
async function copy(from: Buffer, to: Buffer): Promise<void> {
  const source = await open(from, constants.O_RDONLY)
  try {
    const target = await openInPlace(to, O_TRUNC)
    try {
      const buffer = Buffer.allocUnsafe(copyBytes)
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, copyBytes, null)
        if (bytesRead === 0) break
        await writeAll(target, buffer.subarray(0, bytesRead))
      }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function inPlace(file: FileHandle, path: Uint8Array): FileSink {
  const close = onlyOnce(() => file.close())
  return {
    write: (chunk) => writeAll(file, chunk).catch(failWith('write', path)),
    async finish() {
      await close().catch(failWith('write', path))
      return 'in place'
    },
    abort: () => close().catch(() => {}),
  }
}

/** Never waits: a pipe that nobody reads is an error instead. */
function openInPlace(place: Buffer, flags: number): Promise<FileHandle> {
  return open(place, O_WRONLY | O_NONBLOCK | O_NOCTTY | flags)
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written, null)
    written += bytesWritten
  }
}

function failWith(doing: string, path: Uint8Array) {
  return (error: unknown): never => {
    throw fileFailure(doing, path, error)
  }
}

function onlyOnce(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= act()
    return done
  }
}
