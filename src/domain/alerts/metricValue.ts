import { subjectOfType } from '../../schemas/alerts/alertRuleTypes.ts'

/**
 * The last report of a connected machine, with the wire's names (docs/contract/CONTRACT.md#54-servers). Metrics that
 * are 0 are left out, and `null` is one of which nothing true is known.
 */
export interface MetricReport {
  state: StateMetrics
  host: { mem_total?: number; swap_total?: number; disk_total?: number }
  /** What it said when it was asked, by type of rule; a type is absent while nothing is known of it. */
  inspected?: Inspected
}

export type Inspected = Readonly<Record<string, InspectedValue>>

/** What a machine said about one type of rule. */
export interface InspectedValue {
  value: number
  /** What it is about: units, containers, disks. */
  names: readonly string[]
}

interface StateMetrics {
  cpu?: number | null
  mem_used?: number | null
  swap_used?: number | null
  disk_used?: number | null
  net_in_transfer?: number | null
  net_out_transfer?: number | null
  net_in_speed?: number | null
  net_out_speed?: number | null
  uptime?: number | null
  load_1?: number | null
  load_5?: number | null
  load_15?: number | null
  tcp_conn_count?: number | null
  udp_conn_count?: number | null
  process_count?: number | null
  temperatures?: readonly { Temperature: number }[] | null
  gpu?: readonly number[] | null
}

/**
 * The value that a rule of this type compares (docs/contract/CONTRACT.md#7-alert-rules-types-and-meaning); `undefined`
 * for an unknown type, when the machine has no graphics processor or sensor, or when nothing true is known. Cycle rules are in `server/alerts/traffic.ts`.
 */
export function metricValue(type: string, report: MetricReport): number | undefined {
  if (subjectOfType(type)) return report.inspected?.[type]?.value
  return Object.hasOwn(metricReaders, type) ? metricReaders[type]?.(report) : undefined
}

/** Whether `metricValue` knows the type; other rules never fail. */
export const isMetricType = (type: string): boolean =>
  Object.hasOwn(metricReaders, type) || subjectOfType(type) !== undefined

const metricReaders: Readonly<Record<string, (report: MetricReport) => number | undefined>> = {
  cpu: ({ state }) => known(state.cpu),
  gpu_max: ({ state }) => highest(state.gpu ?? []),
  // 0 degrees means that the sensor has no value.
  temperature_max: ({ state }) =>
    highest((state.temperatures ?? []).map(({ Temperature }) => Temperature).filter((degrees) => degrees !== 0)),
  memory: ({ state, host }) => percent(state.mem_used, host.mem_total),
  swap: ({ state, host }) => percent(state.swap_used, host.swap_total),
  disk: ({ state, host }) => percent(state.disk_used, host.disk_total),
  net_in_speed: ({ state }) => known(state.net_in_speed),
  net_out_speed: ({ state }) => known(state.net_out_speed),
  // Real servers add the outgoing speed twice, by mistake.
  net_all_speed: ({ state }) => sum(state.net_in_speed, state.net_out_speed),
  transfer_in: ({ state }) => known(state.net_in_transfer),
  transfer_out: ({ state }) => known(state.net_out_transfer),
  transfer_all: ({ state }) => sum(state.net_in_transfer, state.net_out_transfer),
  load1: ({ state }) => known(state.load_1),
  load5: ({ state }) => known(state.load_5),
  load15: ({ state }) => known(state.load_15),
  tcp_conn_count: ({ state }) => known(state.tcp_conn_count),
  udp_conn_count: ({ state }) => known(state.udp_conn_count),
  process_count: ({ state }) => known(state.process_count),
}

const highest = (numbers: readonly number[]) =>
  numbers.length > 0 ? numbers.reduce((one, other) => Math.max(one, other)) : undefined

type Reported = number | null | undefined

const known = (value: Reported): number | undefined => (value === null ? undefined : (value ?? 0))

const sum = (one: Reported, other: Reported) => (one === null || other === null ? undefined : (one ?? 0) + (other ?? 0))

const percent = (used: Reported, total = 0) => (used === null ? undefined : total > 0 ? ((used ?? 0) / total) * 100 : 0)
