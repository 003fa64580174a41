import type { OnProgress } from './fileExchange.ts'
import type { FileSession } from './fileSession.ts'
import { again, newUploadId, type ResumableFiles, resumableBytes } from './resumableFiles.ts'
import { forgetTransfer, interrupted, type StoredTransfer, storedTransfers, storeTransfers } from './storedTransfers.ts'
import type { Upload } from './uploadPlan.ts'
import { uploadResumably } from './uploadResumably.ts'

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
