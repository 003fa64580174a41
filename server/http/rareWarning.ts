import type { Log } from '../log.ts'

const intervalMs = 10 * 60_000

/**
 * Passes on one sentence in ten minutes, and drops the others: what strangers cause must not fill the log.
 * @param now the clock, in milliseconds
 */
export function createRareWarning(log: Pick<Log, 'warn'>, now: () => number = Date.now): (text: string) => void {
  let last = Number.NEGATIVE_INFINITY
  return (text) => {
    // A clock that was set back must not silence it.
    if (Math.abs(now() - last) < intervalMs) return
    last = now()
    log.warn(text)
  }
}
