import type { QueryClient } from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '../schemas/define/endpoint.ts'
import { endpoints } from '../schemas/endpoints/index.ts'

/** Milliseconds for which a confirmed session needs no other call: those who ask together, as at a start, share one. */
const confirmedMs = 2_000

/**
 * Waits until the server has confirmed the session, before a public route is called: there a revoked session counts as an
 * attack. On the protected route that is called here, it fails without harm, and the cookies are removed.
 * @throws HttpError when there is no session, or no reply
 */
export async function confirmSession(
  queryClient: QueryClient,
  call: <E extends Endpoint>(endpoint: E) => Promise<ReplyOf<E>>,
): Promise<void> {
  await queryClient.fetchQuery({
    queryKey: ['session', 'confirmed'],
    // The profile itself has secrets, which nobody needs here.
    queryFn: async () => {
      await call(endpoints.profile)
      return true
    },
    staleTime: confirmedMs,
  })
}
