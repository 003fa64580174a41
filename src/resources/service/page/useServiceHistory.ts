import { useDataProvider } from 'react-admin'
import type { ChartBound } from '../../../components/charts/plot/bounds.ts'
import type { ChartSeries, Point } from '../../../components/charts/plot/chartSeries.ts'
import { beginOfPeriod, type ChartPeriod, type History, useHistory } from '../../../components/charts/useHistory.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { Row } from '../../../records/queryRows.ts'
import type { ReplyOf } from '../../../schemas/define/endpoint.ts'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'
import type { service as serviceEntity } from '../../../schemas/service.ts'

/** The results of a service from each server that checks it. */
export type ServiceHistory = History<ReplyOf<typeof historyEndpoints.serviceHistory>>

/** How each server saw a service in a period. */
export function useServiceHistory(id: number, period: ChartPeriod): ServiceHistory {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return useHistory(['service', id], period, (asked) => call(historyEndpoints.serviceHistory, { id, period: asked }))
}

type Server = NonNullable<ServiceHistory['data']>['servers'][number]

/** The servers that have results in the period: those with the most failures first, then the slowest. */
export function latencySeries(servers: readonly Server[], period: ChartPeriod, at: number): ChartSeries[] {
  const from = beginOfPeriod(period, at)
  return servers
    .map((server) => (period === '1h' ? ofLastHour(server, from) : server))
    .filter(({ stats }) => stats.data_points.length > 0)
    .sort(({ stats: one }, { stats: other }) => one.up_percent - other.up_percent || other.avg_delay - one.avg_delay)
    .map(({ server_id, server_name, stats }) => ({
      key: String(server_id),
      name: server_name || `#${server_id}`,
      upPercent: stats.up_percent,
      points: stats.data_points.map(
        ({ ts, delay, status }): Point => (status ? { at: ts, value: delay } : { at: ts, value: null, failed: true }),
      ),
    }))
}

/** What a server that sends a whole day has seen in its last hour. */
function ofLastHour(server: Server, from: number): Server {
  const data_points = server.stats.data_points.filter(({ ts }) => ts >= from)
  const good = data_points.filter(({ status }) => status)
  const sum = good.reduce((total, { delay }) => total + delay, 0)
  const up_percent = data_points.length > 0 ? (good.length / data_points.length) * 100 : 0
  return { ...server, stats: { ...server.stats, data_points, up_percent, avg_delay: sum / (good.length || 1) } }
}

/** The latencies of a service of which somebody is told, as lines across its chart. */
export function latencyBounds(
  service: Partial<Pick<Row<typeof serviceEntity>, 'min_latency' | 'max_latency'>>,
  series: readonly ChartSeries[],
): ChartBound[] {
  const about = series.map(({ key }) => key)
  const limits = [
    { side: 'max', value: Number(service.max_latency) } as const,
    { side: 'min', value: Number(service.min_latency) } as const,
  ]
  return limits.flatMap((limit) => (limit.value > 0 ? [{ ...limit, about }] : []))
}
