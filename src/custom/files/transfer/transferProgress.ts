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
