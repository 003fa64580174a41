import { useSyncExternalStore } from 'react'
import { createEmitter } from '../events/emitter.ts'

/** `off`: not started, or stopped. `since`: when the connection was lost, ms since 1970 by the browser's clock. */
export interface LiveStatus {
  state: 'off' | 'connecting' | 'live' | 'lost'
  since?: number
  /** How many sockets watch the server at the moment, this tab included. */
  watching?: number
}

let status: LiveStatus = { state: 'off' }
const changes = createEmitter()

export function setStatus(next: LiveStatus): void {
  if (next.state === status.state && next.since === status.since && next.watching === status.watching) return
  status = next
  changes.emit()
}

/** Marks the connection as lost from now on, unless it is marked already. */
export function markLost(): void {
  if (status.state !== 'lost') setStatus({ state: 'lost', since: Date.now() })
}

/** Whether live metrics are arriving, and if not, since when. */
export const useLiveStatus = (): LiveStatus => useSyncExternalStore(changes.subscribe, () => status)
