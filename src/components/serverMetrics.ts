import { useRecordContext } from 'react-admin'
import type { Entries, LiveEntry } from '../live/feedMessages.ts'
import { isZeroTime, lastReportAt } from '../live/lastReport.ts'
import { liveEntry, useLive } from '../live/store.ts'
import type { Row } from '../records/queryRows.ts'
import type { HostFacts, HostState } from '../schemas/machines/live.ts'
import type { server } from '../schemas/server.ts'

/** A server as in the list's reply. */
export type ServerRow = Row<typeof server>

/** The public addresses of a server, IPv4 first. */
export const addressesOf = ({ geoip }: Pick<ServerRow, 'geoip'>): string[] =>
  [geoip?.ip?.ipv4_addr, geoip?.ip?.ipv6_addr].filter((address) => address !== undefined && address !== '') as string[]

/** The current metrics of a server: from the newest frame, else from its record. */
export interface ServerMetrics {
  online: boolean
  /** Time of the last report, ms since 1970 by the server's clock. */
  seenAt?: number
  host: HostFacts
  state: HostState
  /** The metrics of `state` of which nothing true is known: they are left out, as zeros are. */
  missing?: readonly string[]
}

/**
 * Without a live entry no clock is needed: the server sets `last_active` to zero as soon as an agent's stream ends, and
 * only frames bring the server's time.
 */
export function metricsOf(record: ServerRow, live?: LiveEntry): ServerMetrics {
  const whole = live?.isPartial ? undefined : live
  return {
    online: live ? live.online : !isZeroTime(record.last_active),
    seenAt: live?.seenAt ?? lastReportAt(record),
    host: live?.host ?? record.host ?? {},
    state: whole ? (whole.state ?? record.state ?? {}) : { ...record.state, ...live?.state },
    missing: whole ? whole.missing : record.missing,
  }
}

/** The metrics of a row at the moment of a `liveSnapshot`; without one, of its last report. */
export const metricsAt = (row: ServerRow, live: Entries | undefined): ServerMetrics =>
  metricsOf(row, live?.get(Number(row.id)))

/** The server of the current row. */
export const useServerRow = (): ServerRow | undefined => useRecordContext<ServerRow>()

/** A live metric of a server. `pick` returns a primitive; the component renders only when it changes. */
export const useServerMetric = <T extends string | number | boolean | undefined>(
  record: ServerRow,
  pick: (metrics: ServerMetrics) => T,
): T => useLive(Number(record.id), (live) => pick(metricsOf(record, live)))

/** The addresses of all machines that report with a server's uuid, as text; `undefined` while there is only one. */
export const useDuplicateAddresses = (record: ServerRow): string | undefined =>
  useLive(Number(record.id), (live) => (live && !live.isPartial ? live : record).duplicate_uuid?.join(', '))

/** The current metrics without a subscription: for tooltips that are written on hover. */
export const currentMetrics = (record: ServerRow): ServerMetrics => metricsOf(record, liveEntry(Number(record.id)))

/**
 * Before an agent's first report since the server's start, `state` is empty; a real one leaves out zeros. In a snapshot of all
 * servers, what is not known is no number.
 */
export const hasReported = ({ state, missing }: ServerMetrics, metric: keyof HostState): boolean =>
  Object.keys(state).length > 0 && !missing?.includes(String(metric)) && !Number.isNaN(state[metric])

const percentOf = (used: number | undefined, total: number | undefined) =>
  total ? ((used ?? 0) / total) * 100 : undefined

/** CPU use in percent of all processors; `undefined` without a measurement. */
export const cpuPercent = (metrics: ServerMetrics): number | undefined =>
  metrics.online && hasReported(metrics, 'cpu') ? (metrics.state.cpu ?? 0) : undefined

/** Memory use in percent; `undefined` without a measurement. */
export const memoryPercent = (metrics: ServerMetrics): number | undefined =>
  metrics.online && hasReported(metrics, 'mem_used')
    ? percentOf(metrics.state.mem_used, metrics.host.mem_total)
    : undefined

/** Disk use in percent; kept when a machine goes offline. */
export const diskPercent = (metrics: ServerMetrics): number | undefined =>
  hasReported(metrics, 'disk_used') ? percentOf(metrics.state.disk_used, metrics.host.disk_total) : undefined

/** Bytes per second, sent and received; `undefined` without a measurement. */
export const networkSpeeds = (metrics: ServerMetrics): [up: number, down: number] | undefined =>
  metrics.online && hasReported(metrics, 'net_out_speed') && hasReported(metrics, 'net_in_speed')
    ? [metrics.state.net_out_speed ?? 0, metrics.state.net_in_speed ?? 0]
    : undefined
