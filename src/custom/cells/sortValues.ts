import {
  cpuPercent,
  diskPercent,
  type Figures,
  figuresOf,
  memoryPercent,
  networkSpeeds,
  type ServerRow,
} from './figures.ts'

const byFigure = (pick: (figures: Figures) => number | undefined) => (row: object) => pick(figuresOf(row as ServerRow))

/** What the columns of the server list sort by, as of the record. Servers without the figure stand at the end. */
export const cpuSortValue = byFigure(cpuPercent)
export const memorySortValue = byFigure(memoryPercent)
export const diskSortValue = byFigure(diskPercent)
export const trafficSortValue = byFigure((figures) => networkSpeeds(figures)?.reduce((up, down) => up + down))
export const lastSeenSortValue = byFigure(({ seenAt }) => seenAt)
/** Offline ones first when ascending: they are what a person looks for. */
export const onlineSortValue = byFigure(({ online }) => Number(online))
