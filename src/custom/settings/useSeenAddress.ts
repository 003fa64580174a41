import { useQuery } from '@tanstack/react-query'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useSharedDataProvider } from '../../engine/parts/sharedDataProvider.tsx'
import { endpoints } from '../../schemas/endpoints/index.ts'
import type { Setting } from '../../schemas/settings/setting.ts'

/** The address of this browser that a server would see with a real-IP header. */
export type SeenAddress =
  | { state: 'known'; address: string }
  | { state: 'missing'; reason: string }
  /** `none`: it would see no addresses; `unknown`: it cannot be asked. */
  | { state: 'none' | 'unknown' | 'asking' }

/** Asks the server, if it supports that; with '' as header the server sees no addresses. */
export function useSeenAddress({ wheelhouse }: Setting, header: string): SeenAddress {
  const { call } = useSharedDataProvider<ConsoleDataProvider>()
  const canAsk = wheelhouse?.tells_address === true && header !== ''
  const { data, error } = useQuery({
    queryKey: ['address seen', header],
    queryFn: () => call(endpoints.addressSeen, { header }),
    enabled: canAsk,
    gcTime: 0,
  })
  if (header === '') return { state: 'none' }
  if (!canAsk || error) return { state: 'unknown' }
  if (!data) return { state: 'asking' }
  return data.address ? { state: 'known', address: data.address } : { state: 'missing', reason: data.problem ?? '' }
}
