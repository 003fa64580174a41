import { useEffect, useRef, useState } from 'react'
import { useLocale, useNotify } from 'react-admin'
import type { LocalFile } from './droppedFiles.ts'
import type { Entry } from './entries.ts'
import { FileFailure } from './fileFailure.ts'
import type { FileSession } from './fileSession.ts'
import { joinPath, type RawPath } from './remotePath.ts'
import { chooseTarget, discardPicked, handOver, inMemory } from './saveDownload.ts'
import type { Target } from './sinks.ts'
import { type Figures, followTransfer } from './transferProgress.ts'
import { planUploads, type Upload, type UploadPlan } from './uploadPlan.ts'
import { useFailureWords } from './useFailureWords.ts'
import { useQuestion } from './useQuestion.ts'

/** What is under way, for the dialog that blocks the page meanwhile. */
export interface Transfer {
  kind: 'download' | 'upload'
  /** Left out while folders are looked at. */
  name?: string
  /** Which of how many, from 1. */
  index: number
  count: number
  figures?: Figures
}

/** A file that did not get there, and why. */
export interface FailedUpload {
  upload: Upload
  words: string
  /** Whether a part of it may have arrived. */
  isPartial: boolean
}

export type UploadAnswer = 'overwrite' | 'skip' | 'cancel'

interface TransferOptions {
  session: FileSession
  /** The folder that is open. */
  path: RawPath | undefined
  /** Called when files may have changed there. */
  onChange: () => void
}

/** Downloads and uploads of one panel, one at a time. */
export function useTransfers({ session, path, onChange }: TransferOptions) {
  const notify = useNotify()
  const locale = useLocale()
  const words = useFailureWords()
  const [transfer, setTransfer] = useState<Transfer>()
  const [failed, setFailed] = useState<FailedUpload[]>([])
  const plans = useQuestion<UploadPlan, UploadAnswer>()
  const memory = useQuestion<{ name: string; size: number }, boolean>()
  const cancelling = useRef<AbortController>(undefined)
  useAskBeforeUnload(transfer !== undefined)

  /** Runs one piece of work under the dialog; `signal` is its Cancel. */
  const under = async <T>(first: Transfer, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const controller = new AbortController()
    cancelling.current = controller
    setTransfer(first)
    try {
      return await work(controller.signal)
    } finally {
      setTransfer(undefined)
    }
  }

  const moves = (shown: Transfer, signal: AbortSignal) => {
    const follow = { tell: undefined as ReturnType<typeof followTransfer> | undefined }
    return {
      signal,
      onProgress: (done: number, total: number) => {
        follow.tell ??= followTransfer(total, performance.now())
        setTransfer({ ...shown, figures: follow.tell(done, performance.now()) })
      },
    }
  }

  const fetchInto = async ({ raw, name }: Entry, folder: RawPath, target: Target): Promise<void> => {
    const shown: Transfer = { kind: 'download', name, index: 1, count: 1 }
    try {
      const saved = await under(shown, (signal) =>
        session.download(joinPath(folder, raw), target, moves(shown, signal)),
      )
      await handOver(saved, name)
      notify('app.files.downloaded', { type: 'success', messageArgs: { name } })
    } catch (error) {
      await discardPicked(target)
      if (codeOf(error) === 'needs_memory') {
        const size = (error as FileFailure).failure.size ?? 0
        if (await memory.ask({ name, size })) await fetchInto({ raw, name, isFolder: false }, folder, inMemory(size))
      } else if (codeOf(error) === 'cancelled') notify('app.files.download_cancelled', { messageArgs: { name } })
      else notify(words(error), { type: 'error' })
    }
  }

  /** Fetches a file of the open folder. To be called from a click: the browser asks where to save it. */
  const download = async (entry: Entry): Promise<void> => {
    if (path === undefined || transfer) return
    const target = await chooseTarget(entry.name)
    if (target) await fetchInto(entry, path, target)
  }

  /** Sends one after another. A refused file is told at the end; a broken line or Cancel ends it all. */
  const send = (uploads: readonly Upload[]) =>
    under({ kind: 'upload', index: 1, count: uploads.length }, async (signal) => {
      const refused: FailedUpload[] = []
      for (const [at, upload] of uploads.entries()) {
        const shown: Transfer = { kind: 'upload', name: upload.name, index: at + 1, count: uploads.length }
        setTransfer(shown)
        try {
          await session.upload(upload.target, upload.file, moves(shown, signal))
        } catch (error) {
          if (codeOf(error) === 'cancelled') {
            notify('app.files.upload_cancelled', { type: 'warning', messageArgs: { name: upload.name } })
            return refused
          }
          refused.push({ upload, words: words(error), isPartial: codeOf(error) !== 'refused' })
          if (codeOf(error) === 'refused' || codeOf(error) === 'unreadable_source') continue
          const rest = uploads.slice(at + 1)
          return [...refused, ...rest.map((one) => ({ upload: one, words: words(error), isPartial: false }))]
        }
      }
      if (!refused.length) {
        notify('app.files.uploaded', { type: 'success', messageArgs: { smart_count: uploads.length } })
      }
      return refused
    })

  const sendAll = async (uploads: readonly Upload[]): Promise<void> => {
    setFailed([])
    setFailed(await send(uploads))
    onChange()
  }

  /** Looks at the folders that the files go to, asks what there is to ask, and sends. */
  const upload = async (files: readonly LocalFile[]): Promise<void> => {
    if (path === undefined || transfer || !files.length) return
    const list = async (folder: RawPath, signal: AbortSignal) => {
      if (signal.aborted) throw new FileFailure({ code: 'cancelled' })
      const found = await session.list(folder, locale)
      return found.path === folder ? found.entries : undefined
    }
    try {
      const plan = await under({ kind: 'upload', index: 1, count: files.length }, (signal) =>
        planUploads(path, files, (folder) => list(folder, signal)),
      )
      const isClear = !plan.missingFolders.length && !plan.blocked.length && !plan.uploads.some(({ exists }) => exists)
      const answer = isClear ? 'overwrite' : await plans.ask(plan)
      if (answer === 'cancel') return
      const uploads = answer === 'skip' ? plan.uploads.filter(({ exists }) => !exists) : plan.uploads
      if (uploads.length) await sendAll(uploads)
    } catch (error) {
      if (codeOf(error) !== 'cancelled') notify(words(error), { type: 'error' })
    }
  }

  return {
    transfer,
    cancel: () => cancelling.current?.abort(),
    download,
    upload,
    plans,
    memory,
    failed,
    retry: () => sendAll(failed.map(({ upload: one }) => one)),
    forget: () => setFailed([]),
  }
}

const codeOf = (error: unknown) => (error instanceof FileFailure ? error.failure.code : undefined)

/** The browser asks before it leaves a page that is in the middle of something. */
function useAskBeforeUnload(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [isBusy])
}
