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

/**
 * While the server cannot be reached, tries again with growing delays until it answers.
 * @param probe makes any call that ends in `markReachable` or `markUnreachable`; may reject
 * @param onReachable the server answers again: what is on screen may be old
 * @returns how to stop
 */
export function retryUntilReachable(probe: () => Promise<unknown>, onReachable: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let wasUnreachable = false

  const cancelRetry = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const attempt = () => {
    cancelRetry()
    // The result is reported by the marks.
    probe().catch(() => {})
  }
  const onChange = () => {
    if (awaySince !== undefined) {
      wasUnreachable = true
      timer ??= setTimeout(attempt, reconnectDelay(failures++))
    } else if (wasUnreachable) {
      cancelRetry()
      wasUnreachable = false
      failures = 0
      onReachable()
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
    unsubscribe()
    document.removeEventListener('visibilitychange', retryNow)
    window.removeEventListener('online', retryNow)
  }
}
