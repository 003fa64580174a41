import { reconnectPause } from '../live/connection.ts'

/** When the server stopped answering, ms since 1970 by the browser's clock; `undefined` while it answers. */
let awaySince: number | undefined
const listeners = new Set<() => void>()

export const serverAwaySince = () => awaySince

/** Calls `listener` after every call that told whether the server is there. */
export function watchContact(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A call got a reply, whatever it said. */
export function markReached(): void {
  if (awaySince === undefined) return
  awaySince = undefined
  announce()
}

/** A call got no reply, or only one from a proxy on the way. */
export function markAway(): void {
  awaySince ??= Date.now()
  announce()
}

/**
 * Looks for a server that has gone away, with growing pauses, until it answers again.
 * @param probe makes any call that ends in `markReached` or `markAway`; may reject
 * @param onBack the server answers again: what is on screen may be old
 * @returns how to stop
 */
export function awaitServer(probe: () => Promise<unknown>, onBack: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let wasAway = false

  const pause = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const attempt = () => {
    pause()
    // How it ended is told by the marks; there is nobody else to tell.
    probe().catch(() => {})
  }
  const follow = () => {
    if (awaySince !== undefined) {
      wasAway = true
      timer ??= setTimeout(attempt, reconnectPause(failures++))
    } else if (wasAway) {
      pause()
      wasAway = false
      failures = 0
      onBack()
    }
  }
  /** Somebody looks, or the network is back: reason enough not to wait. */
  const hurry = () => {
    if (awaySince !== undefined && !document.hidden) attempt()
  }

  const stopWatching = watchContact(follow)
  document.addEventListener('visibilitychange', hurry)
  window.addEventListener('online', hurry)
  return () => {
    pause()
    stopWatching()
    document.removeEventListener('visibilitychange', hurry)
    window.removeEventListener('online', hurry)
  }
}

function announce(): void {
  for (const listener of listeners) listener()
}
