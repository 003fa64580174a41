import { useRecordContext } from 'react-admin'
import { isZeroTime, lastReportAt } from '../../live/lastReport.ts'
import type { LiveEntry } from '../../live/messages.ts'
import { liveEntry, useLive } from '../../live/store.ts'
import type { HostFacts, HostState } from '../../schemas/machines/live.ts'

/** A server as the list reads it, as far as its cells look. */
export interface ServerRow {
  id: number | string
  name?: string
  display_index?: number
  uuid?: string
  note?: string
  public_note?: string
  host?: HostFacts
  state?: HostState
  last_active?: string
  geoip?: { ip?: { ipv4_addr?: string; ipv6_addr?: string }; country_code?: string }
}

/** What is known about a server now: from the newest frame, else from its record. */
export interface ServerMetrics {
  online: boolean
  /** When it last reported, ms since 1970 by the server's clock. */
  seenAt?: number
  host: HostFacts
  state: HostState
}

/**
 * A record alone is judged without a clock: the server sets `last_active` to zero the moment an agent's stream ends,
 * and only a frame brings the server's time to measure ages against.
 */
export function metricsOf(record: ServerRow, live?: LiveEntry): ServerMetrics {
  return {
    online: live ? live.online : !isZeroTime(record.last_active),
    seenAt: live?.seenAt ?? lastReportAt(record),
    host: live?.host ?? record.host ?? {},
    state: live?.state ?? record.state ?? {},
  }
}

/** The server of the row that a cell stands in. */
export const useServerRow = (): ServerRow | undefined => useRecordContext<ServerRow>()

/** One figure of a server that moves; `pick` returns a primitive, and the component re-renders only when it changes. */
export const useServerMetric = <T extends string | number | boolean | undefined>(
  record: ServerRow,
  pick: (figures: ServerMetrics) => T,
): T => useLive(Number(record.id), (live) => pick(metricsOf(record, live)))

/** All figures at this moment, without subscribing: for a title that is written when it is asked for. */
export const currentMetrics = (record: ServerRow): ServerMetrics => metricsOf(record, liveEntry(Number(record.id)))

/** An agent that has not reported since the server started sends an empty state; zeros are left out of a real one. */
const reported = ({ state }: ServerMetrics): boolean => Object.keys(state).length > 0

const share = (used: number | undefined, total: number | undefined) => (total ? ((used ?? 0) / total) * 100 : undefined)

/** Percent of all processors; `undefined` while nothing is measured. */
export const cpuPercent = (figures: ServerMetrics): number | undefined =>
  figures.online && reported(figures) ? (figures.state.cpu ?? 0) : undefined

/** Percent of the memory in use; `undefined` while nothing is measured. */
export const memoryPercent = (figures: ServerMetrics): number | undefined =>
  figures.online && reported(figures) ? share(figures.state.mem_used, figures.host.mem_total) : undefined

/** Percent of the disks in use. They stay as full as they were when a machine goes offline. */
export const diskPercent = (figures: ServerMetrics): number | undefined =>
  reported(figures) ? share(figures.state.disk_used, figures.host.disk_total) : undefined

/** Bytes per second, sent and received; `undefined` while nothing is measured. */
export const networkSpeeds = (figures: ServerMetrics): [up: number, down: number] | undefined =>
  figures.online && reported(figures) ? [figures.state.net_out_speed ?? 0, figures.state.net_in_speed ?? 0] : undefined
