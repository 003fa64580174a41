import { queryOptions, useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { confirmSession } from '../../api/confirmSession.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { upPercent } from '../../domain/availability.ts'
import type { ReplyOf } from '../../schemas/define/endpoint.ts'
import { historyEndpoints } from '../../schemas/endpoints/historyEndpoints.ts'

/** The current health of a service; `partly`: some of its latest checks failed; `degraded`: it is slow, or down on some servers; `paused`: nobody checks it for now. */
export type ServiceHealth = 'up' | 'degraded' | 'partly' | 'down' | 'paused' | 'not_permitted' | 'unchecked'

/** Percent of successful checks in the last 15 minutes above which a service counts as up, and as partly up. */
const [upAbove, partlyAbove] = [95, 80]

/**
 * The health of a service by its latest checks. A service that may not be checked is not down. Servers that do not send
 * `state` themselves are judged by the limits of their public status page.
 */
export function serviceHealth(service: ServiceOverviewItem): ServiceHealth {
  const { current_up, current_down, not_permitted, state } = service
  if (state === 'paused') return state
  const percent = upPercent({ up: current_up, down: current_down })
  if (percent === undefined) return not_permitted ? 'not_permitted' : 'unchecked'
  if (state === 'down' || state === 'degraded') return state
  if (state !== undefined) return current_down === 0 ? 'up' : 'partly'
  return percent > upAbove ? 'up' : percent > partlyAbove ? 'partly' : 'down'
}

/** Percent of successful checks in 30 days, and today's latency in ms; each is missing without checks. */
export function serviceMetrics({ total_up, total_down, delay }: ServiceOverviewItem): {
  percent?: number
  ms?: number
} {
  return { percent: upPercent({ up: total_up, down: total_down }), ms: delay.at(-1) || undefined }
}

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
