import type { QueryClient } from '@tanstack/react-query'
import { mayReconnect, probe, renewSession } from '../api/apiClient.ts'
import { awaitServer } from '../api/connectivity.ts'
import { retryLive, startLive, stopLive, stopLiveEverywhere } from '../live/store.ts'
import { refreshOnReturn } from '../records/queryClient.ts'
import { keepNames } from '../records/savedNames.ts'
import { keepRenewing } from '../session/renewal.ts'
import { watchSession } from '../session/sessionGate.ts'

/**
 * What goes on behind the screens while the console is open: live figures, the session's renewal, the look-out for
 * a server that has gone away, and names kept for the next start. Returns how to end it all.
 */
export function startVisit(queryClient: QueryClient): () => void {
  const live = () => startLive({ mayReconnect })
  live()
  const stops = [
    stopLive,
    refreshOnReturn(queryClient),
    keepNames(queryClient),
    keepRenewing(renewSession),
    watchSession({ onEnd: stopLiveEverywhere, onOpen: live }),
    awaitServer(probe, () => {
      retryLive()
      void queryClient.invalidateQueries()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
