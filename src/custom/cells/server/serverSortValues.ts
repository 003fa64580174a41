import type { Entries } from '../../../live/packedEntries.ts'
import { liveSnapshot } from '../../../live/store.ts'
import {
  cpuPercent,
  diskPercent,
  memoryPercent,
  metricsOf,
  networkSpeeds,
  type ServerMetrics,
  type ServerRow,
} from '../../hooks/serverMetrics.ts'

/** The figures of all servers as of now, for sorting and filtering: rows must not move while figures do. */
export const liveMetricsSnapshot = liveSnapshot

const byMetric =
  <Value>(pick: (figures: ServerMetrics) => Value) =>
  (row: { id: number | string }, _related?: unknown, moment?: unknown): Value =>
    pick(metricsOf(row as ServerRow, (moment as Entries | undefined)?.get(Number(row.id))))

/** What the columns of the server list sort by. Servers without the figure stand at the end. */
export const cpuSortValue = byMetric(cpuPercent)
export const memorySortValue = byMetric(memoryPercent)
export const diskSortValue = byMetric(diskPercent)
export const trafficSortValue = byMetric((figures) => networkSpeeds(figures)?.reduce((up, down) => up + down))
export const lastSeenSortValue = byMetric(({ seenAt }) => seenAt)
/** Offline ones first when ascending: they are what a person looks for. */
export const onlineSortValue = byMetric(({ online }) => Number(online))

const isOnlineNow = byMetric(({ online }) => online)

/** Whether a server is online or offline, as the filter asks. */
export const matchesOnlineStatus = (row: { id: number | string }, wanted: string, moment: unknown): boolean =>
  isOnlineNow(row, undefined, moment) === (wanted === 'online')
