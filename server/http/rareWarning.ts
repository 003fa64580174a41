import type { Log } from '../log.ts'

const intervalMs = 10 * 60_000

/** Of which it is known when they were last passed on. */
const maxKinds = 1000

/**
 * Takes a sentence for the operator.
 * @param kind the same for sentences that say the same of others, such as another address
 */
export type WarnRarely = (text: string, kind: string) => void

/**
 * Passes on one sentence of a kind in ten minutes, and drops the others: what strangers cause must not fill the log.
 * @param now the clock, in milliseconds
 */
export function createRareWarning(log: Pick<Log, 'warn'>, now: () => number = Date.now): WarnRarely {
  const lastByKind = new Map<string, number>()
  return (text, kind) => {
    // A clock that was set back must not silence it.
    if (Math.abs(now() - (lastByKind.get(kind) ?? Number.NEGATIVE_INFINITY)) < intervalMs) return
    lastByKind.delete(kind)
    const [oldest] = lastByKind.keys()
    if (oldest !== undefined && lastByKind.size >= maxKinds) lastByKind.delete(oldest)
    lastByKind.set(kind, now())
    log.warn(text)
  }
}
