import type { QueryClient } from '@tanstack/react-query'
import { mayReconnect, probe, renewSession } from '../api/apiClient.ts'
import { retryUntilReachable } from '../api/connectivity.ts'
import { retryLive, startLive, stopLive, stopLiveEverywhere } from '../live/store.ts'
import { refreshOnReturn } from '../records/queryClient.ts'
import { saveNames } from '../records/savedNames.ts'
import { keepRenewing } from '../session/renewal.ts'
import { watchSession } from '../session/sessionGate.ts'

/**
 * What runs in the background while the console is open: live metrics, the session's renewal, retries while the server
 * cannot be reached, and record names stored for the next start. Returns how to stop it all.
 */
export function startAppLifetime(queryClient: QueryClient): () => void {
  const live = () => startLive({ mayReconnect })
  live()
  const stops = [
    stopLive,
    refreshOnReturn(queryClient),
    saveNames(queryClient),
    keepRenewing(renewSession),
    watchSession({ onEnd: stopLiveEverywhere, onOpen: live }),
    retryUntilReachable(probe, () => {
      retryLive()
      void queryClient.invalidateQueries()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
