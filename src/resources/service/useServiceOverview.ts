import { queryOptions, useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { confirmSession } from '../../api/confirmSession.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ReplyOf } from '../../schemas/define/endpoint.ts'
import { historyEndpoints } from '../../schemas/endpoints/historyEndpoints.ts'

export type ServiceOverview = ReplyOf<typeof historyEndpoints.serviceOverview>

/** One service in the server's overview. */
export type ServiceOverviewItem = NonNullable<ServiceOverview['services']>[string]

const minRefreshInterval = 30_000
/** Milliseconds per service: each is about 1 kB of the reply, so thousands of them are fetched less often. */
const refreshPerService = 15

/** The query for the status of all services, also for code outside of components. */
export const serviceOverviewQuery = (call: ConsoleDataProvider['call']) =>
  queryOptions({
    queryKey: ['services', 'overview'],
    // Public, and asked for on every screen.
    queryFn: async ({ client }) => {
      await confirmSession(client, call)
      return call(historyEndpoints.serviceOverview)
    },
    // Comparing megabytes of old and new data costs more than it saves.
    structuralSharing: false,
    staleTime: minRefreshInterval / 2,
  })

/**
 * The status of all services, in one request for all callers, refreshed while a component uses it. If
 * `pick` returns a primitive, the component renders only when that changes.
 */
export function useServiceOverview<T>(pick: (overview: ServiceOverview) => T) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return useQuery({
    ...serviceOverviewQuery(call),
    select: pick,
    refetchInterval: ({ state }) =>
      Math.max(minRefreshInterval, Object.keys(state.data?.services ?? {}).length * refreshPerService),
  })
}
