import type { HistoryPeriod, serverMetrics } from '../../../src/schemas/endpoints/serviceHistory.ts'
import type { History } from '../../db/history/openHistory.ts'
import type { Series } from '../../db/history/series.ts'
import type { HostState } from '../../machines/hosts/host.ts'
import { partsOf, thinned } from './periods.ts'

export type Metric = (typeof serverMetrics)[number]

/** What is read of a report; nothing where the machine has no such thing. */
const readings: Readonly<Record<Metric, (state: HostState) => number | null>> = {
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

const highest = (figures: readonly number[]) => (figures.length > 0 ? Math.max(...figures) : null)

const metrics = Object.keys(readings) as Metric[]
export const isMetric = (name: string): name is Metric => name in readings

/** The figures of machines, kept as averages. */
export interface Metrics {
  add(server: number, state: HostState, at: number): void
  /** @param until milliseconds since 1970 */
  course(server: number, metric: Metric, period: HistoryPeriod, until: number): { ts: number; value: number }[]
  series: Series
}

export function openMetrics(history: History): Metrics {
  const columns = ['reports', ...metrics]
  const series = history.series({ name: 'server', columns, tiers: thinned })
  return {
    series,
    add: (one, state, at) =>
      series.add({ one, other: 0 }, at, [1, ...metrics.map((metric) => readings[metric](state))]),
    course(server, metric, period, until) {
      const place = metrics.indexOf(metric) + 1
      const found = partsOf(period, until).flatMap(({ tier, ...range }) => series.ofOne(tier, range, server, 0))
      return found.flatMap(({ at, sums }) => {
        const [reports, value] = [sums[0], sums[place]]
        return reports && value !== null && value !== undefined ? [{ ts: at, value: value / reports }] : []
      })
    },
  }
}
