/**
 * The last report of a connected machine, with the wire's names (docs/contract/CONTRACT.md#54-servers). Metrics that
 * are 0 are left out.
 */
export interface MetricReport {
  state: StateMetrics
  host: { mem_total?: number; swap_total?: number; disk_total?: number }
}

interface StateMetrics {
  cpu?: number
  mem_used?: number
  swap_used?: number
  disk_used?: number
  net_in_transfer?: number
  net_out_transfer?: number
  net_in_speed?: number
  net_out_speed?: number
  uptime?: number
  load_1?: number
  load_5?: number
  load_15?: number
  tcp_conn_count?: number
  udp_conn_count?: number
  process_count?: number
  temperatures?: readonly { Temperature: number }[]
  gpu?: readonly number[]
}

/**
 * The value that a rule of this type compares (docs/contract/CONTRACT.md#7-alert-rules-types-and-meaning); `undefined`
 * for an unknown type, or when the machine has no graphics processor or sensor. Cycle rules are in `server/alerts/traffic.ts`.
 */
export const metricValue = (type: string, report: MetricReport): number | undefined =>
  Object.hasOwn(metricReaders, type) ? metricReaders[type]?.(report) : undefined

/** Whether `metricValue` knows the type; other rules never fail. */
export const isMetricType = (type: string): boolean => Object.hasOwn(metricReaders, type)

const metricReaders: Readonly<Record<string, (report: MetricReport) => number | undefined>> = {
  cpu: ({ state }) => state.cpu ?? 0,
  gpu_max: ({ state }) => highest(state.gpu ?? []),
  // 0 degrees means that the sensor has no value.
  temperature_max: ({ state }) =>
    highest((state.temperatures ?? []).map(({ Temperature }) => Temperature).filter((degrees) => degrees !== 0)),
  memory: ({ state, host }) => percent(state.mem_used, host.mem_total),
  swap: ({ state, host }) => percent(state.swap_used, host.swap_total),
  disk: ({ state, host }) => percent(state.disk_used, host.disk_total),
  net_in_speed: ({ state }) => state.net_in_speed ?? 0,
  net_out_speed: ({ state }) => state.net_out_speed ?? 0,
  // Real servers add the outgoing speed twice, by mistake.
  net_all_speed: ({ state }) => (state.net_in_speed ?? 0) + (state.net_out_speed ?? 0),
  transfer_in: ({ state }) => state.net_in_transfer ?? 0,
  transfer_out: ({ state }) => state.net_out_transfer ?? 0,
  transfer_all: ({ state }) => (state.net_in_transfer ?? 0) + (state.net_out_transfer ?? 0),
  load1: ({ state }) => state.load_1 ?? 0,
  load5: ({ state }) => state.load_5 ?? 0,
  load15: ({ state }) => state.load_15 ?? 0,
  tcp_conn_count: ({ state }) => state.tcp_conn_count ?? 0,
  udp_conn_count: ({ state }) => state.udp_conn_count ?? 0,
  process_count: ({ state }) => state.process_count ?? 0,
}

const highest = (numbers: readonly number[]) =>
  numbers.length > 0 ? numbers.reduce((one, other) => Math.max(one, other)) : undefined

const percent = (used = 0, total = 0) => (total > 0 ? (used / total) * 100 : 0)
