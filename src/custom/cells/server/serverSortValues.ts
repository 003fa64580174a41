import type { Entries } from '../../../live/packedEntries.ts'
import { liveSnapshot } from '../../../live/store.ts'
import {
  cpuPercent,
  diskPercent,
  type Figures,
  figuresOf,
  memoryPercent,
  networkSpeeds,
  type ServerRow,
} from '../../hooks/serverMetrics.ts'

/** The figures of all servers as of now, for sorting and filtering: rows must not move while figures do. */
export const liveMoment = liveSnapshot

const byFigure =
  <Value>(pick: (figures: Figures) => Value) =>
  (row: { id: number | string }, _related?: unknown, moment?: unknown): Value =>
    pick(figuresOf(row as ServerRow, (moment as Entries | undefined)?.get(Number(row.id))))

/** What the columns of the server list sort by. Servers without the figure stand at the end. */
export const cpuSortValue = byFigure(cpuPercent)
export const memorySortValue = byFigure(memoryPercent)
export const diskSortValue = byFigure(diskPercent)
export const trafficSortValue = byFigure((figures) => networkSpeeds(figures)?.reduce((up, down) => up + down))
export const lastSeenSortValue = byFigure(({ seenAt }) => seenAt)
/** Offline ones first when ascending: they are what a person looks for. */
export const onlineSortValue = byFigure(({ online }) => Number(online))

const isOnlineNow = byFigure(({ online }) => online)

/** Whether a server is online or offline, as the filter asks. */
export const matchesPresence = (row: { id: number | string }, wanted: string, moment: unknown): boolean =>
  isOnlineNow(row, undefined, moment) === (wanted === 'online')
