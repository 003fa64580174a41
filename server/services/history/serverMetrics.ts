import type { HistoryPeriod, serverMetrics } from '../../../src/schemas/endpoints/serviceHistory.ts'
import type { History } from '../../db/history/openHistory.ts'
import type { Series } from '../../db/history/series.ts'
import type { HostState } from '../../machines/hosts/host.ts'
import { bucketRanges, tiers } from './periods.ts'

export type Metric = (typeof serverMetrics)[number]

/** Reads a metric from a report; `null` where the machine does not have it. */
const metricReaders: Readonly<Record<Metric, (state: HostState) => number | null>> = {
  cpu: ({ cpu }) => cpu,
  memory: ({ mem_used }) => mem_used,
  swap: ({ swap_used }) => swap_used,
  disk: ({ disk_used }) => disk_used,
  net_in_speed: (state) => state.net_in_speed,
  net_out_speed: (state) => state.net_out_speed,
  net_in_transfer: (state) => state.net_in_transfer,
  net_out_transfer: (state) => state.net_out_transfer,
  load1: ({ load_1 }) => load_1,
  load5: ({ load_5 }) => load_5,
  load15: ({ load_15 }) => load_15,
  tcp_conn: ({ tcp_conn_count }) => tcp_conn_count,
  udp_conn: ({ udp_conn_count }) => udp_conn_count,
  process_count: (state) => state.process_count,
  temperature: ({ temperatures }) => highest(temperatures.map(({ Temperature }) => Temperature)),
  uptime: ({ uptime }) => uptime,
  gpu: ({ gpu }) => highest(gpu),
}

const highest = (numbers: readonly number[]) => (numbers.length > 0 ? Math.max(...numbers) : null)

const metrics = Object.keys(metricReaders) as Metric[]
export const isMetric = (name: string): name is Metric => name in metricReaders

/** The stored metrics of servers, as averages. */
export interface ServerMetrics {
  add(server: number, state: HostState, at: number): void
  /** @param until milliseconds since 1970 */
  dataPoints(server: number, metric: Metric, period: HistoryPeriod, until: number): { ts: number; value: number }[]
  series: Series
}

export function openServerMetrics(history: History): ServerMetrics {
  const columns = ['reports', ...metrics]
  const series = history.series({ name: 'server', columns, tiers })
  return {
    series,
    add: (one, state, at) =>
      series.add({ one, other: 0 }, at, [1, ...metrics.map((metric) => metricReaders[metric](state))]),
    dataPoints(server, metric, period, until) {
      const column = metrics.indexOf(metric) + 1
      const buckets = bucketRanges(period, until).flatMap(({ tier, ...range }) => series.ofOne(tier, range, server, 0))
      return buckets.flatMap(({ at, sums }) => {
        const [reports, value] = [sums[0], sums[column]]
        return reports && value !== null && value !== undefined ? [{ ts: at, value: value / reports }] : []
      })
    },
  }
}
