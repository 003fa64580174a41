import {
  cpuPercent,
  diskPercent,
  memoryPercent,
  metricsAt,
  networkSpeeds,
  type ServerMetrics,
} from '../../../components/serverMetrics.ts'
import { liveSnapshot } from '../../../live/store.ts'

/** The current metrics of all servers, for sorting and filtering: rows must not move while metrics change. */
export const liveMetricsSnapshot = liveSnapshot

const byMetric =
  <Value>(pick: (metrics: ServerMetrics) => Value) =>
  (row: { id: number | string }, _related?: unknown, moment?: unknown): Value =>
    pick(metricsAt(row, moment))

/** Sort values of the server list's columns. Servers without the metric come last. */
export const cpuSortValue = byMetric(cpuPercent)
export const memorySortValue = byMetric(memoryPercent)
export const diskSortValue = byMetric(diskPercent)
export const trafficSortValue = byMetric((metrics) => networkSpeeds(metrics)?.reduce((up, down) => up + down))
export const lastSeenSortValue = byMetric(({ seenAt }) => seenAt)
/** Ascending: offline servers first, as people look for those. */
export const onlineSortValue = byMetric(({ online }) => Number(online))

const isOnlineNow = byMetric(({ online }) => online)

/** The text keys of the filter's choices. */
export const onlineWords = {
  online: 'resources.server.values.online',
  offline: 'resources.server.values.offline',
} as const

/** Whether a server has the filter's status, 'online' or 'offline'. */
export const matchesOnlineStatus = (
  row: { id: number | string },
  status: string,
  related: unknown,
  moment: unknown,
): boolean => isOnlineNow(row, related, moment) === (status === 'online')
