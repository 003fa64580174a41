import { useEffect, useRef, useState } from 'react'

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

/** The progress of a transfer. */
export interface TransferProgress {
  /** Bytes. */
  done: number
  total: number
  /** Bytes per second over the last seconds; `undefined` at first. */
  speed?: number
  /** Remaining seconds. */
  left?: number
}

/** The speed is averaged over this time, in ms. */
const averagedMs = 5_000
const minimumMs = 500

/**
 * Computes speed and remaining time of one transfer. Times in ms of one clock.
 * @param begun bytes that were there at the beginning
 */
export function trackProgress(total: number, now: number, begun = 0): (done: number, now: number) => TransferProgress {
  let samples: { at: number; done: number }[] = [{ at: now, done: begun }]
  return (done, at) => {
    samples = [
      ...samples.filter((one, index) => at - one.at <= averagedMs || index === samples.length - 1),
      { at, done },
    ]
    const [first = { at, done }] = samples
    if (at - first.at < minimumMs) return { done, total }
    const speed = ((done - first.done) / (at - first.at)) * 1000
    return { done, total, speed, left: speed > 0 ? (total - done) / speed : undefined }
  }
}
