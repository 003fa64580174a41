import { useQuery } from '@tanstack/react-query'
import { useDataProvider, useListContext, useStore } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { historyEndpoints } from '../../schemas/endpoints/historyEndpoints.ts'
import type { serverMetrics } from '../../schemas/endpoints/serviceHistory.ts'

type Metric = (typeof serverMetrics)[number]

/** Milliseconds: there is a new value every minute. */
const refreshInterval = 60_000

/** The metrics that fit into a line without an axis. */
export const lastHourMetrics = {
  cpu: 'resources.server.columns.cpu',
  memory: 'resources.server.columns.memory',
  disk: 'resources.server.columns.disk',
  net_in_speed: 'resources.server.values.download',
  net_out_speed: 'resources.server.values.upload',
  load1: 'resources.server.columns.load',
} as const satisfies Partial<Record<Metric, string>>

export type LastHourMetric = keyof typeof lastHourMetrics

/** The metric that a person chose for the column, saved in this browser. */
export const useLastHourMetric = () => useStore<LastHourMetric>('table.server.lastHour', 'cpu')

/** The last hour of a server on the page, in one request for all rows of the page. */
export function useLastHour(id: number | string): readonly (number | null)[] | undefined {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [metric] = useLastHourMetric()
  const { data: rows = [] } = useListContext()
  const ids = rows.map((row) => row.id).join(',')
  const { data } = useQuery({
    queryKey: ['server', 'last-hour', metric, ids],
    queryFn: () => call(historyEndpoints.lastHour, { metric, ids }),
    select: (all) => all[String(id)],
    enabled: ids !== '',
    staleTime: refreshInterval / 2,
    refetchInterval: refreshInterval,
  })
  return data
}
