import type { QueryClient } from '@tanstack/react-query'

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
