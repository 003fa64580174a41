import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ReplyOf } from '../../schemas/define/endpoint.ts'
import { historyEndpoints } from '../../schemas/endpoints/historyEndpoints.ts'

type Overview = ReplyOf<typeof historyEndpoints.serviceOverview>

/** What the server tells of one service in its overview. */
export type ServiceOverviewItem = NonNullable<Overview['services']>[string]

const minRefreshInterval = 30_000
/** Each service is about 1 kB of the reply: thousands of them are asked for less often. In ms. */
const refreshPerService = 15

/**
 * What the server tells of all services at once. It is asked for once for all who look, and again while they do; a
 * component that picks a primitive renders only when that has changed.
 */
export function useServiceOverview<T>(pick: (overview: Overview) => T) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return useQuery({
    queryKey: ['figures', 'overview'],
    queryFn: () => call(historyEndpoints.serviceOverview),
    select: pick,
    // Comparing megabytes with their predecessors costs more than it would save.
    structuralSharing: false,
    staleTime: minRefreshInterval / 2,
    refetchInterval: ({ state }) =>
      Math.max(minRefreshInterval, Object.keys(state.data?.services ?? {}).length * refreshPerService),
  })
}
