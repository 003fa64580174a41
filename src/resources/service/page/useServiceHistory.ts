import { useDataProvider } from 'react-admin'
import { type History, useHistory } from '../../../components/charts/useHistory.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { ReplyOf } from '../../../schemas/define/endpoint.ts'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'
import type { HistoryPeriod } from '../../../schemas/endpoints/serviceHistory.ts'

/** The results of a service from each server that checks it. */
export type ServiceHistory = History<ReplyOf<typeof historyEndpoints.serviceHistory>>

/** How each server saw a service in a period. */
export function useServiceHistory(id: number, period: HistoryPeriod): ServiceHistory {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return useHistory(['service', id], period, () => call(historyEndpoints.serviceHistory, { id, period }))
}
