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
  const { session, files, upload, target, file, onProgress, onWait, signal } = options
  const part = partOf(target, upload)
  let [isResumed, wrong] = [false, 0]

  async function once(wentOn: () => void): Promise<boolean | undefined> {
    let arrived = await files.open(target, upload)
    if (arrived === undefined) return undefined
    if (arrived > 0) {
      isResumed = true
      const right =
        arrived > file.size ? 0 : await sameBytes(files, { path: part, local: file, bytes: arrived, signal })
      if (right < arrived) arrived = (await files.open(target, upload, right)) ?? right
    }
    if (signal?.aborted) throw new FileFailure({ code: 'cancelled' })
    const begun = arrived
    if (begun < file.size) {
      const rest = begun > 0 ? file.slice(begun) : file
      await session.upload(begun > 0 ? `${part}.rest` : part, rest, {
        signal,
        onProgress: (done) => {
          if (done > 0) wentOn()
          onProgress?.(begun + done, file.size)
        },
      })
      if (begun > 0) await files.open(target, upload)
    }
    if (isResumed && (await sameBytes(files, { path: part, local: file, bytes: file.size, signal })) < file.size) {
      wrong += 1
      if (wrong >= wrongAtMost) throw new FileFailure({ code: 'incomplete' })
      return once(wentOn)
    }
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
