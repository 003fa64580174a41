import type { QueryClient } from '@tanstack/react-query'
import { call, mayReconnect, probe, renewSession } from '../api/apiClient.ts'
import { retryUntilReachable } from '../api/connectivity.ts'
import { settingQuery } from '../components/useSetting.ts'
import { retryLive, startLive, stopLive, stopLiveEverywhere } from '../live/store.ts'
import { refreshOnReturn } from '../records/queryClient.ts'
import { keepRenewing } from '../session/renewal.ts'
import { watchSession } from '../session/sessionGate.ts'
import { saveNames } from '../storage/savedNames.ts'

/** While many agents are being installed, the list is fetched this often; milliseconds. */
const fetchEveryMs = 5_000

/**
 * Fetches the list of servers again when a live frame has a server that was in none before, so that a machine appears
 * as soon as it reports. The first frame has them all; it counts only where the list is still empty.
 *
 * @returns to be called with every frame and the number of different servers that were in the frames so far
 */
export function fetchNewServers(queryClient: QueryClient, now = () => performance.now()): (count: number) => void {
  const listKey = ['collection', 'server']
  let fetched: { count: number; at: number } | undefined
  let firstCount: number | undefined
  return (count) => {
    const isEmpty = queryClient.getQueryData<unknown[]>(listKey)?.length === 0
    firstCount ??= count
    const before = fetched?.count ?? (isEmpty ? 0 : firstCount)
    if (count <= before || (fetched && now() - fetched.at < fetchEveryMs)) return
    fetched = { count, at: now() }
    void queryClient.invalidateQueries({ queryKey: listKey })
    void queryClient.invalidateQueries({ queryKey: ['server'] })
  }
}

/**
 * What runs in the background while the console is open: live metrics, the session's renewal, retries while the server
 * cannot be reached, and record names stored for the next start. Returns how to stop it all.
 */
export function startAppLifetime(queryClient: QueryClient): () => void {
  // Without an answer, the stream that every server has.
  const sendsChanges = () =>
    queryClient.ensureQueryData(settingQuery({ call })).then(
      ({ wheelhouse }) => wheelhouse?.server_changes,
      () => false,
    )
  const live = () => startLive({ mayReconnect, sendsChanges, onFrame: fetchNewServers(queryClient) })
  live()
  const stops = [
    stopLive,
    refreshOnReturn(queryClient),
    noticeRefusedSaves(queryClient),
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

/** HTTP status of a write that the server had no space for, and of one for which another program holds its database. */
const refusedSaves: readonly (number | undefined)[] = [507, 423]

/** After a save that the server could not write, the settings are read again: they say why on every screen. */
function noticeRefusedSaves(queryClient: QueryClient): () => void {
  return queryClient.getMutationCache().subscribe(({ type, mutation }) => {
    const isRefused = type === 'updated' && mutation.state.status === 'error'
    if (isRefused && refusedSaves.includes((mutation.state.error as { status?: number }).status))
      void queryClient.invalidateQueries({ queryKey: ['setting'] })
  })
}
