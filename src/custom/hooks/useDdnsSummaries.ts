import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { DdnsSummary } from '../../schemas/endpoints/ddnsResult.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'

/**
 * How the names of all profiles stand, in one question for all who ask; `undefined` until it is known. What is under
 * way may end any second; all else moves when an address changes.
 */
export function useDdnsSummaries(): readonly DdnsSummary[] | undefined {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data } = useQuery({
    queryKey: ['ddns', 'summaries'],
    queryFn: () => call(endpoints.ddnsSummaries),
    refetchInterval: ({ state }) => (state.data?.some(({ waiting }) => waiting > 0) ? 2000 : 30_000),
  })
  return data
}
