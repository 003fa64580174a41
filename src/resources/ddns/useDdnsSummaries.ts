import { queryOptions, useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { formatAge, type Language } from '../../components/format/format.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { DdnsSummary } from '../../schemas/endpoints/ddnsResult.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'

/** The query for the update status of all profiles' domain names, also for code outside of components. */
export const ddnsSummariesQuery = (call: ConsoleDataProvider['call']) =>
  queryOptions({ queryKey: ['ddns', 'summaries'], queryFn: () => call(endpoints.ddnsSummaries) })

/**
 * The update status of all profiles' domain names, in one request for all callers; `undefined` while loading. Refreshed
 * every 2 s while updates are running, else every 30 s.
 */
export function useDdnsSummaries(): readonly DdnsSummary[] | undefined {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data } = useQuery({
    ...ddnsSummariesQuery(call),
    refetchInterval: ({ state }) => (state.data?.some(({ waiting }) => waiting > 0) ? 2000 : 30_000),
  })
  return data
}

/** What the updates of a profile's domain names have come to; without a summary no server uses it. */
export function ddnsSummaryText(summary: DdnsSummary | undefined, now: number, { translate }: Language): string {
  if (!summary) return translate('app.ddns.unused')
  const { names, done, failed, waiting, at } = summary
  if (waiting > 0) return translate('app.ddns.states.waiting')
  if (failed > 0) return translate('app.ddns.failed_of', { failed, total: names })
  return done === 0 || !at ? translate('app.ddns.nothing_yet') : formatAge(Date.parse(at), now, translate)
}
