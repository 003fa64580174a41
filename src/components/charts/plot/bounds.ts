import type { TimeRange } from './chartSeries.ts'
import type { TimeMark } from './timeMarks.ts'

/** A value at which somebody is told: a line across a chart. */
export interface ChartBound {
  /** In the unit of the chart. */
  value: number
  /** Whether values above it or below it are told. */
  side: 'max' | 'min'
  /** Whose it is: the names of rules. Absent where the page is about what has it. */
  of?: string
  /** The keys of the series that it is compared with. */
  about: readonly string[]
}

/** The bounds that concern one of these series. */
export const boundsAbout = (bounds: readonly ChartBound[], keys: ReadonlySet<string>): ChartBound[] =>
  bounds.filter(({ about }) => about.some((key) => keys.has(key)))

/** The marks that concern one of these series, or all charts. */
export const marksAbout = (marks: readonly TimeMark[], keys: ReadonlySet<string>): TimeMark[] =>
  marks.filter(({ about }) => !about || about.some((key) => keys.has(key)))

/** Whether a bound lies within an axis. */
export const isOnAxis = ({ value }: Pick<ChartBound, 'value'>, [from, to]: readonly [number, number]): boolean =>
  value >= from && value <= to

/** The marks at a time. */
export const marksAt = (marks: readonly TimeMark[], at: number): TimeMark[] =>
  marks.filter(({ from, to }: TimeRange) => from <= at && at <= to)
