import { resumeLimits } from '../../../schemas/inspect/fileUploads.ts'
import type { OnProgress } from './fileExchange.ts'
import { FileFailure } from './fileFailure.ts'
import type { FileSession } from './fileSession.ts'
import type { RawPath } from './remotePath.ts'
import { again, isCut, partOf, type ResumableFiles, sameBytes } from './resumableFiles.ts'

interface ResumableUpload {
  session: Pick<FileSession, 'upload'>
  files: ResumableFiles
  /** The name of its part: see `newUploadId`. */
  upload: string
  target: RawPath
  file: Blob
  onProgress?: OnProgress
  /** Called while what has arrived is compared. */
  onCompare?: OnProgress
  /** Called when the connection is lost, and it is tried again soon. */
  onWait?: () => void
  signal?: AbortSignal
}

/** How often what has arrived may turn out to be wrong before it is given up. */
const wrongAtMost = 3

/**
 * Sends a file to a part beside its target, which gets its place when it is complete. After a cut it goes on where it
 * stopped: what has arrived is compared first, and all of it at the end. What fails otherwise leaves no part; one that
 * was cut for too long stays for later.
 * @returns whether all of it was compared; `undefined` where the machine cannot do this, and nothing was sent
 */
export async function uploadResumably(options: ResumableUpload): Promise<boolean | undefined> {
  const { session, files, upload, target, file, onProgress, onCompare, onWait, signal } = options
  const part = partOf(target, upload)
  let [isResumed, isPlacing, wrong] = [false, false, 0]
  /** The most bytes that were the same, by how many were compared: only what goes beyond them has gone on. */
  const most = new Map<number, number>()

  const same = (path: RawPath, bytes: number, wentOn: () => void) =>
    sameBytes(files, {
      path,
      local: file,
      bytes,
      signal,
      onProgress(done, total) {
        if (done > (most.get(bytes) ?? 0)) {
          most.set(bytes, done)
          wentOn()
        }
        onCompare?.(done, total)
      },
    })
  const isThere = async (path: RawPath, wentOn: () => void) => (await same(path, file.size, wentOn)) === file.size

  async function once(wentOn: () => void): Promise<boolean | undefined> {
    const found = await files.open(target, upload)
    if (found === undefined) return undefined
    let arrived = found
    if (arrived > 0) {
      const right = await same(part, arrived, wentOn)
      if (right < arrived) arrived = (await files.open(target, upload, right)) ?? right
    }
    isResumed = arrived > 0
    // Its answer may have been lost after the file had got its place.
    if (isPlacing && arrived === 0 && (await isThere(target, wentOn))) {
      await files.discard(target, upload)
      return true
    }
    if (signal?.aborted) throw new FileFailure({ code: 'cancelled' })
    while (arrived < file.size) {
      const begun = arrived
      // What is joined takes its room twice and the machine's time, so it is not all at once.
      const rest = begun > 0 ? file.slice(begun, begun + resumeLimits.restBytes) : file
      await session.upload(begun > 0 ? `${part}.rest` : part, rest, {
        signal,
        onProgress: (done) => {
          if (done > 0) wentOn()
          onProgress?.(begun + done, file.size)
        },
      })
      if (begun > 0) await files.open(target, upload)
      arrived = begun + rest.size
    }
    if (isResumed && !(await isThere(part, wentOn))) {
      wrong += 1
      if (wrong >= wrongAtMost) throw new FileFailure({ code: 'incomplete' })
      return once(wentOn)
    }
    isPlacing = true
    await files.place(target, upload, file.size)
    return isResumed
  }

  try {
    return await again(once, { signal, onWait })
  } catch (error) {
    const isLeft = !signal?.aborted && error instanceof FileFailure && error.failure.code === 'cancelled'
    if (!isLeft && (signal?.aborted || !isCut(error))) {
      await files
        .discard(target, upload)
        .catch((cause) => console.warn('The part of an upload was left behind.', cause))
    }
    throw error
  }
}
