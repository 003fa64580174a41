import type { TimeRange } from './chartSeries.ts'

/** The kinds of marks, in the order of their explanation. */
export const markKinds = ['outage', 'alarm', 'run', 'failedRun'] as const

/** Something that happened to what a chart is about: over a while, or at one moment. */
export interface TimeMark extends TimeRange {
  /** An `alarm` or an `outage` is a band behind the lines; a `run` of a task is a line, and a `failedRun` one that stands out. */
  kind: (typeof markKinds)[number]
  /** What it is, for those who do not see it. */
  text: string
  /** The keys of the series that it is about; absent for what concerns all charts. */
  about?: readonly string[]
}
