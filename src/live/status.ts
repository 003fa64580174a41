import { useSyncExternalStore } from 'react'

/** `off`: not started, or stopped. `since`: when the line was lost, ms since 1970 by the browser's clock. */
export interface LiveStatus {
  state: 'off' | 'connecting' | 'live' | 'lost'
  since?: number
  /** How many people watch the server at the moment, this tab included. */
  watching?: number
}

let status: LiveStatus = { state: 'off' }
const listeners = new Set<() => void>()

export function setStatus(next: LiveStatus): void {
  if (next.state === status.state && next.since === status.since && next.watching === status.watching) return
  status = next
  for (const listener of listeners) listener()
}

/** The line was lost now, unless it has been lost already. */
export function setLost(): void {
  if (status.state !== 'lost') setStatus({ state: 'lost', since: Date.now() })
}

/** Whether figures are arriving, and if not, since when. */
export const useLiveStatus = (): LiveStatus => useSyncExternalStore(watchStatus, () => status)

function watchStatus(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
