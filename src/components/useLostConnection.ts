import { useSyncExternalStore } from 'react'
import { subscribeToReachability, unreachableSince } from '../api/connectivity.ts'
import { useStalledSince } from '../live/liveStatus.ts'

/** What a connection that is dead says: since when, ms since 1970 by the browser's clock, and whether calls fail as well. */
export interface LostConnection {
  since: number
  isAway: boolean
}

/** Whether the server gives no sign of life, by its calls and by its live frames; `undefined` while it does. */
export function useLostConnection(): LostConnection | undefined {
  const awaySince = useSyncExternalStore(subscribeToReachability, unreachableSince)
  const stalledSince = useStalledSince()
  if (awaySince !== undefined) return { since: Math.min(awaySince, stalledSince ?? awaySince), isAway: true }
  return stalledSince === undefined ? undefined : { since: stalledSince, isAway: false }
}
