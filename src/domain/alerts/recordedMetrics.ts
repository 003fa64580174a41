import type { MetricReport } from './metricValue.ts'

type Values = Partial<Record<RecordedMetric, number>>

/** The names in a report of the metrics that servers record over time (`serverMetrics`). */
const stateOf = {
  cpu: (cpu: number) => ({ cpu }),
  memory: (mem_used: number) => ({ mem_used }),
  swap: (swap_used: number) => ({ swap_used }),
  disk: (disk_used: number) => ({ disk_used }),
  net_in_speed: (net_in_speed: number) => ({ net_in_speed }),
  net_out_speed: (net_out_speed: number) => ({ net_out_speed }),
  net_in_transfer: (net_in_transfer: number) => ({ net_in_transfer }),
  net_out_transfer: (net_out_transfer: number) => ({ net_out_transfer }),
  load1: (load_1: number) => ({ load_1 }),
  load5: (load_5: number) => ({ load_5 }),
  load15: (load_15: number) => ({ load_15 }),
  tcp_conn: (tcp_conn_count: number) => ({ tcp_conn_count }),
  udp_conn: (udp_conn_count: number) => ({ udp_conn_count }),
  process_count: (process_count: number) => ({ process_count }),
  temperature: (Temperature: number) => ({ temperatures: [{ Temperature }] }),
  gpu: (gpu: number) => ({ gpu: [gpu] }),
} satisfies Record<string, (value: number) => MetricReport['state']>

export type RecordedMetric = keyof typeof stateOf

/** A report as it would have been with these averages, for `metricValue`. @param host for the sizes of memory and disks */
export function reportOfRecorded(values: Values, host: MetricReport['host']): MetricReport {
  const state: MetricReport['state'] = {}
  for (const metric in values) {
    const value = values[metric as RecordedMetric]
    if (value !== undefined) Object.assign(state, stateOf[metric as RecordedMetric](value))
  }
  return { state, host }
}

/** Rules whose metric is recorded under another name, or is computed from several. */
const recordedNames: Readonly<Record<string, readonly RecordedMetric[]>> = {
  // Any metric that all machines report shows when a machine was online.
  offline: ['cpu'],
  gpu_max: ['gpu'],
  temperature_max: ['temperature'],
  net_all_speed: ['net_in_speed', 'net_out_speed'],
  transfer_in: ['net_in_transfer'],
  transfer_out: ['net_out_transfer'],
  transfer_all: ['net_in_transfer', 'net_out_transfer'],
  tcp_conn_count: ['tcp_conn'],
  udp_conn_count: ['udp_conn'],
}

/** The recorded metrics that rules of these types use; none for types of which nothing is recorded. */
export const recordedMetricsOf = (types: readonly string[]): RecordedMetric[] => [
  ...new Set(
    types.flatMap((type) => recordedNames[type] ?? (Object.hasOwn(stateOf, type) ? [type as RecordedMetric] : [])),
  ),
]

/**
 * The recorded metrics that an alarm with these causes is about; `undefined` where it is about the whole machine, or
 * nothing is known.
 */
export function metricsOfAlarm(types: readonly string[]): RecordedMetric[] | undefined {
  if (types.includes('offline')) return undefined
  // Traffic of a cycle is counted from the traffic since boot.
  const metrics = recordedMetricsOf(types.map((type) => type.replace(/_cycle$/, '')))
  return metrics.length > 0 ? metrics : undefined
}
