import { notifyManager, QueryClient } from '@tanstack/react-query'

// By default React Query notifies in a timer. In a microtask, rows that are in memory are drawn in the same frame as
// the search that asks for them.
notifyManager.setScheduler(queueMicrotask)

/** The console's cache. A failed call is shown at once instead of being repeated unseen. */
export const createQueryClient = () =>
  new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })

export const queryClient = createQueryClient()

/** Milliseconds. */
const hiddenAtLeast = 60_000

/**
 * Fetches everything on screen again when somebody comes back to a tab that was hidden for a minute or more.
 *
 * @returns a function that stops it
 */
export function refreshOnReturn(client: QueryClient): () => void {
  let hiddenAt = 0
  const onChange = () => {
    if (document.hidden) hiddenAt = performance.now()
    else if (hiddenAt && performance.now() - hiddenAt >= hiddenAtLeast) void client.invalidateQueries()
  }
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
