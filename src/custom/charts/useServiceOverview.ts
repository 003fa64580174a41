import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { endpoints } from '../../schemas/endpoints.ts'

/** What the server tells of all services at once. Asked for once for all who look, and every 30 s while they do. */
export function useServiceOverview() {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return useQuery({
    queryKey: ['figures', 'overview'],
    queryFn: () => call(endpoints.serviceOverview),
    refetchInterval: 30_000,
  })
}
