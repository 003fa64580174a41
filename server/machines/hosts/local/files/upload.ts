import { randomBytes } from 'node:crypto'
import { constants, type FileHandle, open, rename, unlink } from 'node:fs/promises'
import type { FileSink, UploadMethod } from '../../files.ts'
import { joinPath, parentFolder } from './bytePath.ts'
import { findUploadTarget, type UploadTarget } from './findUploadTarget.ts'
import { errorCode, throwAsFileError, toFileError } from './toFileError.ts'
import { copyInPlace, once, writeAll, writeDevice, writeFileInPlace } from './writeInPlace.ts'

/** What a new file may be used for, as if a shell had made it: the server's own umask keeps its own files secret. */
const newFileMode = 0o644
const { O_CREAT, O_EXCL, O_WRONLY } = constants

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
    const target = await findUploadTarget(real)
    const { existing } = target
    if (existing && !existing.isFile()) return await writeDevice(target.real, path)
    const draft = await makeDraft(target)
    return draft ? drafted(draft, target, path) : await writeFileInPlace(target.real, path)
  } catch (error) {
    throw toFileError('open', path, error)
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
  const place = joinPath(parentFolder(real), Buffer.from(`.wheelhouse-upload-${randomBytes(8).toString('hex')}`))
  try {
    const file = await open(place, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    const canReplace = existing === undefined || (existing.nlink === 1 && (await takesOwner(file, existing)))
    return { file, place, canReplace }
  } catch (error) {
    if (existing && !outOfSpace.includes(errorCode(error) ?? '')) return undefined
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
  const close = once(() => file.close())

  async function takePlace(): Promise<UploadMethod> {
    if (canReplace) {
      await file.chmod(existing ? existing.mode & 0o7777 : newFileMode)
      // When the power fails, either content is there.
      if (existing) await file.datasync()
    }
    await close()
    if (canReplace && (await hasRenamed(place, real))) return existing ? 'replaced' : 'created'
    await copyInPlace(place, real)
    await unlink(place)
    return 'in place'
  }

  return {
    write: (pieces) => writeAll(file, pieces).catch(throwAsFileError('write', path)),
    finish: () => takePlace().catch(throwAsFileError('write', path)),
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
    if (cannotRename.includes(errorCode(error) ?? '')) return false
    throw error
  }
}
