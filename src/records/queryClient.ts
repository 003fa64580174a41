import { notifyManager, QueryClient } from '@tanstack/react-query'

// Rows that are in memory are there in the same frame as the search that asks for them, not in the one after it.
notifyManager.setScheduler(queueMicrotask)

/** The one cache. A failed call is shown at once instead of being repeated behind the person's back. */
export const createQueryClient = () =>
  new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })

export const queryClient = createQueryClient()

const awayFor = 60_000

/** Reads everything on screen anew when somebody comes back to a tab that was hidden for a minute or more. */
export function refreshOnReturn(client: QueryClient): () => void {
  let hiddenAt = 0
  const onChange = () => {
    if (document.hidden) hiddenAt = performance.now()
    else if (hiddenAt && performance.now() - hiddenAt >= awayFor) void client.invalidateQueries()
  }
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
