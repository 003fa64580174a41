import { useEffect, useRef, useState } from 'react'
import { type TransferProgress, trackProgress } from './transferProgress.ts'

/** The current transfer, as the dialog shows it. */
export interface Transfer {
  kind: 'download' | 'upload'
  /** None while folders are being checked. */
  name?: string
  /** Which of how many, from 1. */
  index: number
  count: number
  progress?: TransferProgress
  /** Whether the connection is lost, and it is tried again. */
  isWaiting?: boolean
  /** Whether what has arrived is being compared: then the progress is that of comparing. */
  isComparing?: boolean
}

/** What the dialog of a transfer shows, and its Cancel button. */
export function useTransferDialog() {
  const [transfer, show] = useState<Transfer>()
  const cancelling = useRef<AbortController>(undefined)
  useConfirmUnload(transfer !== undefined)

  /** Runs work while the dialog is open; its Cancel button aborts `signal`. */
  const run = async <T>(first: Transfer, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const controller = new AbortController()
    cancelling.current = controller
    show(first)
    try {
      return await work(controller.signal)
    } finally {
      show(undefined)
    }
  }

  /** What a transfer calls as it goes on. */
  const movesOf = (shown: Transfer, signal: AbortSignal) => {
    let track: ReturnType<typeof trackProgress> | undefined
    let progress: TransferProgress | undefined
    let wasComparing = false
    const moved = (done: number, total: number, isComparing: boolean) => {
      // The speed of one says nothing about the other.
      if (isComparing !== wasComparing) track = undefined
      wasComparing = isComparing
      track ??= trackProgress(total, performance.now(), done)
      progress = track(done, performance.now())
      show({ ...shown, progress, isComparing })
    }
    return {
      signal,
      onProgress: (done: number, total: number) => moved(done, total, false),
      onCompare: (done: number, total: number) => moved(done, total, true),
      onWait: () => {
        track = undefined
        show({ ...shown, progress, isWaiting: true })
      },
    }
  }

  return {
    transfer,
    show,
    run,
    movesOf,
    cancel: () => cancelling.current?.abort(),
    isCancelled: () => cancelling.current?.signal.aborted === true,
  }
}

/** The browser asks before the page is left during a transfer. */
function useConfirmUnload(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [isBusy])
}
