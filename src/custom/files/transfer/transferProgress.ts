/** How a transfer is getting on. */
export interface Figures {
  /** Bytes. */
  done: number
  total: number
  /** Bytes per second over the last seconds; `undefined` until that can be told. */
  speed?: number
  /** Seconds. */
  left?: number
}

/** Long enough that the figure can be read, short enough that it is about now; ms. */
const lookBack = 5_000
const shortest = 500

/** Follows one transfer and tells its speed and what is left. Times in ms of one clock. */
export function followTransfer(total: number, now: number): (done: number, now: number) => Figures {
  let seen: { at: number; done: number }[] = [{ at: now, done: 0 }]
  return (done, at) => {
    seen = [...seen.filter((one, index) => at - one.at <= lookBack || index === seen.length - 1), { at, done }]
    const [first = { at, done }] = seen
    if (at - first.at < shortest) return { done, total }
    const speed = ((done - first.done) / (at - first.at)) * 1000
    return { done, total, speed, left: speed > 0 ? (total - done) / speed : undefined }
  }
}
