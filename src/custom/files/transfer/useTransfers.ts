import { useState } from 'react'
import { useLocale, useNotify, useTranslate } from 'react-admin'
import type { ContinuedDownload } from './continueDownload.ts'
import type { Target } from './downloadTargets.ts'
import type { LocalFile } from './droppedFiles.ts'
import { FileFailure, isEmptyFile } from './fileFailure.ts'
import type { FileSession } from './fileSession.ts'
import { beginningOf } from './privateFiles.ts'
import { type Entry, joinPath, type RawPath } from './remotePath.ts'
import { isCut, newUploadId, type ResumableFiles, sameBytes } from './resumableFiles.ts'
import { chooseTarget, discardPicked, inMemory, offerDownload, savedContent, saveEmpty } from './saveDownload.ts'
import { createUploads } from './sendUpload.ts'
import { type DownloadedFile, rememberDownload, type StoredTransfer, whileRunning } from './storedTransfers.ts'
import { planUploads, type Upload, type UploadPlan } from './uploadPlan.ts'
import { useFailureMessage } from './useFailureMessage.ts'
import { useQuestion } from './useQuestion.ts'
import { type Transfer, useTransferDialog } from './useTransferDialog.ts'

/** A file that was not uploaded, and why. */
export interface FailedUpload {
  upload: Upload
  message: string
  /** Whether a part of it may have arrived. */
  isPartial: boolean
}

export type UploadAnswer = 'overwrite' | 'skip' | 'cancel'

/**
 * Whether a file here is the one on the machine; `undefined` when that cannot be told.
 * @param bytes compares only so many bytes of it, from the beginning
 */
export type Compare = (path: RawPath, local: Blob, bytes?: number) => Promise<boolean | undefined>

interface TransferOptions {
  serverId: number
  session: FileSession
  /** The folder that is open. */
  path: RawPath | undefined
  /** Makes folders with those above them. Left out where none can be made. */
  makeFolders: ((paths: readonly RawPath[]) => Promise<void>) | undefined
  /** Compares what has arrived. Left out where the machine cannot say it. */
  compare: Compare | undefined
  /** Goes on with what was cut. Left out where the machine cannot say what has arrived. */
  resumable: ResumableFiles | undefined
  /** Called when files may have changed there. */
  onChange: () => void
}

/** Files of one upload that are compared: of more, asking for each would take longer than the upload. */
const comparedFiles = 100

/** Downloads and uploads of one panel, one at a time. */
export function useTransfers(options: TransferOptions) {
  const { serverId, session, path, makeFolders, compare, onChange } = options
  // What goes on after a cut has to be compared, and browsers compute checksums over HTTPS and on localhost only.
  const resumable = globalThis.crypto?.subtle ? options.resumable : undefined
  const notify = useNotify()
  const translate = useTranslate()
  const locale = useLocale()
  const messageOf = useFailureMessage()
  const [failed, setFailed] = useState<FailedUpload[]>([])
  const plans = useQuestion<UploadPlan, UploadAnswer>()
  const memory = useQuestion<{ name: string; size: number }, boolean>()
  const { transfer, show, run: runWithDialog, movesOf, cancel, isCancelled } = useTransferDialog()

  /** @param isCompared whether it was found to be the same on both sides */
  const notifyOf = (done: string, isCompared: boolean | undefined) => {
    const text = isCompared ? `${done} · ${translate('app.files.transfers.verified.sha256')}` : done
    notify(text, { type: 'success', messageArgs: { _: text } })
  }

  /** @param begun what is in the target already */
  const fetchInto = async (file: DownloadedFile, target: Target, begun?: ContinuedDownload['begun']): Promise<void> => {
    const { path, name } = file
    const shown: Transfer = { kind: 'download', name, index: 1, count: 1 }
    const memo = rememberDownload({ ...file, serverId }, target, resumable !== undefined)
    try {
      const saved = await memo.running(() =>
        runWithDialog(shown, (signal) => {
          const moves = movesOf(shown, signal)
          const continued = resumable && { address: resumable.contentAddress(path), ...(begun && { begun }) }
          const onProgress = (done: number, size: number) => {
            memo.begun(size)
            moves.onProgress(done, size)
          }
          return session.download(path, target, { ...moves, onProgress, continued }).catch((error) => {
            if (isEmptyFile(error, path)) return saveEmpty(target)
            throw error
          })
        }),
      )
      await memo.forget()
      await offerDownload(saved, name)
      const content = compare && (await savedContent(saved, target))
      const compareAll = (whole: Blob) =>
        runWithDialog({ ...shown, isComparing: true }, (signal) => isWhole(path, whole, movesOf(shown, signal)))
      // A log may have grown since it was opened.
      const compareRead = (whole: Blob) => compare?.(path, whole, whole.size)
      const isSame = content && (await (saved.isResumed ? compareAll(content) : compareRead(content)))
      if (isSame === false) notify('app.files.differs', { type: 'warning', messageArgs: { name } })
      else notifyOf(translate('app.files.downloaded', { name }), isSame)
    } catch (error) {
      await discardPicked(target)
      // What was cut for too long, or by leaving the page, can go on later.
      if (codeOf(error) !== 'cancelled' ? !isCut(error) : isCancelled()) await memo.forget()
      if (error instanceof FileFailure && error.failure.code === 'needs_memory') {
        const { size = 0 } = error.failure
        if (await memory.ask({ name, size })) await fetchInto(file, inMemory(size))
      } else if (codeOf(error) === 'cancelled') notify('app.files.download_cancelled', { messageArgs: { name } })
      else notify(messageOf(error), { type: 'error' })
    }
  }

  /** Downloads a file of the open folder. Must be called from a click: the browser asks where to save it. */
  const download = async (entry: Entry): Promise<void> => {
    if (path === undefined || transfer) return
    const target = await chooseTarget(entry.name)
    if (target) await fetchInto({ path: joinPath(path, entry.raw), name: entry.name }, target)
  }

  /** Whether all of a file that went on after a cut is the one on the machine. */
  const isWhole = async (
    path: RawPath,
    content: Blob,
    { signal, onCompare }: ReturnType<typeof movesOf>,
  ): Promise<boolean | undefined> => {
    if (!resumable) return undefined
    try {
      const all = { path, local: content, bytes: content.size, signal, onProgress: onCompare }
      return (await sameBytes(resumable, all)) === content.size
    } catch (error) {
      console.warn('A file could not be compared.', error)
      return undefined
    }
  }

  /** Goes on with a download that was interrupted, or begins it anew. Must be called from a click. */
  const resumeDownload = async ({ path, name, size, privateName }: StoredTransfer): Promise<void> => {
    if (transfer) return
    const here = privateName && resumable ? await beginningOf(privateName) : undefined
    if (!privateName || !resumable || !here?.size) {
      const target = await chooseTarget(name)
      if (target) await fetchInto({ path, name }, target)
      return
    }
    try {
      const shown: Transfer = { kind: 'download', name, index: 1, count: 1 }
      const from = await runWithDialog({ ...shown, isComparing: true }, (signal) =>
        sameBytes(resumable, { path, local: here, bytes: size, signal, onProgress: movesOf(shown, signal).onCompare }),
      )
      await fetchInto(
        { path, name },
        { kind: 'private', name: privateName, from },
        from > 0 ? { size, from } : undefined,
      )
    } catch (error) {
      if (codeOf(error) !== 'cancelled') notify(messageOf(error), { type: 'error' })
    }
  }

  /**
   * Uploads one file after another. Refused files are reported at the end; Cancel stops all, and so does a connection that
   * stays lost.
   * @returns those that were refused, and whether all have arrived
   */
  const send = (uploads: readonly Upload[]) =>
    runWithDialog({ kind: 'upload', index: 1, count: uploads.length }, async (signal) => {
      const refused: FailedUpload[] = []
      const sending = createUploads({ serverId, session, resumable })
      const run = newUploadId()
      // One after the other, while the next file is on its way.
      let comparing: Promise<boolean | undefined> = Promise.resolve(
        compare && uploads.length <= comparedFiles ? true : undefined,
      )
      const compareNext = (upload: Upload) => {
        comparing = comparing.then(async (isSame) => {
          if (isSame === undefined || signal.aborted) return undefined
          const isThis = await compare?.(upload.target, upload.file)
          if (signal.aborted || isThis !== false) return isThis
          const message = translate('app.files.differs', { name: upload.name })
          refused.push({ upload, message, isPartial: false })
          return true
        })
      }
      // A machine may take minutes for its answers: Cancel ends the wait, and what has arrived stays.
      const isCancelled = aborted(signal)
      const compared = () => Promise.race([comparing, isCancelled])
      const sendOne = async (upload: Upload, at: number): Promise<'next' | 'end'> => {
        const shown: Transfer = { kind: 'upload', name: upload.name, index: at + 1, count: uploads.length }
        show(shown)
        try {
          if (!(await sending.send(upload, movesOf(shown, signal)))) compareNext(upload)
          await sending.forget(upload)
          return 'next'
        } catch (error) {
          const rest = uploads.slice(at + 1)
          if (codeOf(error) === 'cancelled') {
            // Leaving the panel is no Cancel: what has not arrived can go on later.
            if (signal.aborted) for (const one of [upload, ...rest]) await sending.forget(one)
            notify('app.files.upload_cancelled', { type: 'warning', messageArgs: { name: upload.name } })
            return 'end'
          }
          const isPartial = codeOf(error) !== 'refused' && !upload.part
          refused.push({ upload, message: messageOf(error), isPartial })
          if (!isCut(error)) await sending.forget(upload)
          if (codeOf(error) === 'refused' || codeOf(error) === 'unreadable_source') return 'next'
          await compared()
          refused.push(...rest.map((one) => ({ upload: one, message: messageOf(error), isPartial: false })))
          return 'end'
        }
      }
      return whileRunning(run, async () => {
        await sending.begin(uploads, run)
        for (const [at, upload] of uploads.entries())
          if ((await sendOne(upload, at)) === 'end') return { refused, isComplete: false }
        const isCompared = await compared()
        if (!refused.length) notifyOf(translate('app.files.uploaded', { smart_count: uploads.length }), isCompared)
        return { refused, isComplete: refused.length === 0 }
      })
    })

  /** @returns whether all have arrived */
  const sendAll = async (uploads: readonly Upload[]): Promise<boolean> => {
    setFailed([])
    const { refused, isComplete } = await send(uploads)
    setFailed(refused)
    onChange()
    return isComplete
  }

  /**
   * Checks the target folders, asks before overwriting, and uploads.
   * @returns whether all have arrived that were not left out on purpose
   */
  const upload = async (files: readonly LocalFile[], folders: readonly string[] = []): Promise<boolean> => {
    if (path === undefined || transfer || (!files.length && !folders.length)) return false
    const list = async (folder: RawPath, signal: AbortSignal) => {
      if (signal.aborted) throw new FileFailure({ code: 'cancelled' })
      const found = await session.list(folder, locale)
      return found.path === folder ? found.entries : undefined
    }
    try {
      const plan = await runWithDialog({ kind: 'upload', index: 1, count: files.length }, (signal) =>
        planUploads(path, { files, folders }, (folder) => list(folder, signal), makeFolders !== undefined),
      )
      const isClear = !plan.missingFolders.length && !plan.blocked.length && !plan.uploads.some(({ exists }) => exists)
      const answer = isClear ? 'overwrite' : await plans.ask(plan)
      if (answer === 'cancel') return false
      const uploads = answer === 'skip' ? plan.uploads.filter(({ exists }) => !exists) : plan.uploads
      if (plan.newFolders.length) await makeFolders?.(plan.newFolders)
      if (uploads.length) return await sendAll(uploads)
      onChange()
      return true
    } catch (error) {
      if (codeOf(error) !== 'cancelled') notify(messageOf(error), { type: 'error' })
      return false
    }
  }

  return {
    transfer,
    cancel,
    download,
    resumeDownload,
    upload,
    /** Sends files that were chosen again for uploads that were interrupted. */
    resumeUploads: (uploads: readonly Upload[]) => (transfer ? Promise.resolve(false) : sendAll(uploads)),
    plans,
    memory,
    failed,
    retry: () => sendAll(failed.map(({ upload: one }) => one)),
    dismissFailures: () => setFailed([]),
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))

const codeOf = (error: unknown) => (error instanceof FileFailure ? error.failure.code : undefined)
