import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'

/** One's own account as the server has it. It stays in memory only: the agent secret is in it. */
export function useProfile() {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return useQuery({ queryKey: ['profile', 'own'], queryFn: () => call(endpoints.profile), gcTime: 0 })
}
