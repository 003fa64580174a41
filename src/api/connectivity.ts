import { createEmitter } from '../events/emitter.ts'
import { reconnectDelay } from '../live/reconnectingSocket.ts'

/** When the server stopped answering, ms since 1970 by the browser's clock; `undefined` while it answers. */
let awaySince: number | undefined
const changes = createEmitter()

export const unreachableSince = () => awaySince

/** Calls the listener when the server was reached again, and after every call that did not reach it. */
export const subscribeToReachability = changes.subscribe

/** Must be called when a call got a reply, whatever it was. */
export function markReachable(): void {
  if (awaySince === undefined) return
  awaySince = undefined
  changes.emit()
}

/** Must be called when a call got no reply, or only one from a proxy. */
export function markUnreachable(): void {
  awaySince ??= Date.now()
  changes.emit()
}

/** Milliseconds: a server that went away again within this time after it was back is not asked for everything at once. */
const calmMs = 60_000

/**
 * While the server cannot be reached, tries again with growing delays until it answers.
 * @param probe makes any call that ends in `markReachable` or `markUnreachable`; may reject
 * @param onReachable the server answers again: what is on screen may be old. Called with growing delays while only some
 * of the calls get an answer: it makes all of them again, some of which would be answered by the proxy again
 * @returns how to stop
 */
export function retryUntilReachable(probe: () => Promise<unknown>, onReachable: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let wasUnreachable = false
  let returnTimer: ReturnType<typeof setTimeout> | undefined
  let returns = 0
  let returnedAt = 0

  const cancelRetry = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const attempt = () => {
    cancelRetry()
    // The result is reported by the marks.
    probe().catch(() => {})
  }
  const report = () => {
    clearTimeout(returnTimer)
    returnTimer = undefined
    // It is reported when it is back from this absence.
    if (awaySince !== undefined) return
    returnedAt = Date.now()
    returns++
    onReachable()
  }
  const onReturn = () => {
    if (Date.now() - returnedAt > calmMs) returns = 0
    if (returns === 0) report()
    else returnTimer ??= setTimeout(report, reconnectDelay(returns))
  }
  const onChange = () => {
    if (awaySince !== undefined) {
      wasUnreachable = true
      timer ??= setTimeout(attempt, reconnectDelay(failures++))
    } else if (wasUnreachable) {
      cancelRetry()
      wasUnreachable = false
      failures = 0
      onReturn()
    }
  }
  /** Tries at once when the tab becomes visible or the network is back. */
  const retryNow = () => {
    if (awaySince !== undefined && !document.hidden) attempt()
  }

  const unsubscribe = subscribeToReachability(onChange)
  document.addEventListener('visibilitychange', retryNow)
  window.addEventListener('online', retryNow)
  return () => {
    cancelRetry()
    clearTimeout(returnTimer)
    unsubscribe()
    document.removeEventListener('visibilitychange', retryNow)
    window.removeEventListener('online', retryNow)
  }
}
