import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/announcedFeatures.ts'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'

const refreshMs = 15_000

/** The certificates that a service's check has seen, and the calls of its job; only where the server has them. */
export function useServiceDetails(id: number, hasCheck: boolean) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const areThere = use(AnnouncedFeaturesContext)?.has('checks') === true && hasCheck
  return useQuery({
    queryKey: ['services', 'details', id],
    queryFn: () => call(historyEndpoints.serviceDetails, { id }),
    enabled: areThere,
    refetchInterval: refreshMs,
  })
}
