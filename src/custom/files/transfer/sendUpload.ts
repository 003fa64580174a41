import { resumeLimits } from '../../../schemas/inspect/fileUploads.ts'
import type { OnProgress } from './fileExchange.ts'
import { FileFailure } from './fileFailure.ts'
import type { FileSession } from './fileSession.ts'
import type { RawPath } from './remotePath.ts'
import { again, isCut, newUploadId, partOf, type ResumableFiles, resumableBytes, sameBytes } from './resumableFiles.ts'
import { forgetTransfer, interrupted, type StoredTransfer, storedTransfers, storeTransfers } from './storedTransfers.ts'
import type { Upload } from './uploadPlan.ts'

interface Options {
  serverId: number
  session: FileSession
  /** Left out where the machine cannot say what has arrived. */
  resumable: ResumableFiles | undefined
}

type Moves = NonNullable<Parameters<FileSession['upload']>[2]>

/** Sends files of one run, which are remembered until they have arrived: after a reload they can be chosen again. */
export function createUploads({ serverId, session, resumable: files }: Options) {
  const keyOf = ({ target }: Upload) => ({ kind: 'upload', serverId, path: target }) as const

  return {
    /** Names the parts that they go on with. */
    async begin(uploads: readonly Upload[], run: string): Promise<void> {
      const stored = (await storedTransfers()).filter((one) => one.kind === 'upload' && one.serverId === serverId)
      const before = new Map((await interrupted(stored)).map((one) => [one.path, one]))
      // Another tab is at work on these.
      const busy = new Set(stored.filter(({ path }) => !before.has(path)).map(({ upload }) => upload))
      const records = uploads.map((upload): StoredTransfer => {
        const { target, name, file, handle } = upload
        const known = before.get(target)
        if (upload.part && busy.has(upload.part)) upload.part = undefined
        if (files && file.size >= resumableBytes) {
          upload.part ??= known?.size === file.size ? known.upload : undefined
          upload.part ??= newUploadId()
        }
        if (known?.upload && known.upload !== upload.part) {
          files?.discard(target, known.upload).catch((error) => console.warn('A part was left behind.', error))
        }
        return {
          ...keyOf(upload),
          name,
          size: file.size,
          modified: file.lastModified,
          run,
          ...(upload.part && { upload: upload.part }),
          ...(handle && { handle }),
        }
      })
      await storeTransfers(records)
    },
    /**
     * Sends one file.
     * @returns whether all of it was compared
     */
    async send(upload: Upload, moves: Moves & { onWait: () => void; onCompare: OnProgress }): Promise<boolean> {
      const { target, file, part } = upload
      const isCompared =
        files && part ? await uploadResumably({ session, files, upload: part, target, file, ...moves }) : undefined
      if (isCompared === undefined) {
        // A small file is sent again as a whole. Where nobody can say what has arrived, the person decides.
        if (files && file.size < resumableBytes) await again(() => session.upload(target, file, moves), moves)
        else await session.upload(target, file, moves)
      }
      return isCompared === true
    },
    forget: (upload: Upload) => forgetTransfer(keyOf(upload)),
  }
}

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

  /** The most bytes that were there when a try began, and that have left since: what a proxy cuts off each time goes on nowhere. */
  let [mostThere, furthest] = [0, 0]

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
    if (arrived > mostThere) {
      mostThere = arrived
      furthest = arrived
      wentOn()
    }
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
          if (begun + done > furthest) {
            furthest = begun + done
            wentOn()
          }
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
