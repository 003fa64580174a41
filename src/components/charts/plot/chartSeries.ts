/** One point of a series: `at` in ms since 1970; a `value` of null means that nothing was measured. */
export interface Point {
  at: number
  value: number | null
  /** A check failed at this time: there is no value, but it is not a gap either. */
  failed?: true
}

/** One line of a chart, its points ordered by time. */
export interface ChartSeries {
  key: string
  name: string
  points: readonly Point[]
  /** Percent of successful checks, in charts of services. */
  upPercent?: number
}

/** From and to, in ms since 1970. */
export interface TimeRange {
  from: number
  to: number
}

/** Lines with only those points that lie in a range. */
export const seriesWithin = (series: readonly ChartSeries[], { from, to }: TimeRange): ChartSeries[] =>
  series.map((one) => ({ ...one, points: one.points.filter(({ at }) => at >= from && at <= to) }))

/** Lines on one shared time axis, as uPlot needs them: per line and time a value, `null` for a gap, or `undefined`. */
export interface AlignedSeries {
  moments: number[]
  lines: (number | null | undefined)[][]
  /** Per line, the indexes in `moments` of points with a gap on both sides: these are drawn as dots. */
  isolated: number[][]
}

/**
 * Puts lines with different times onto one shared time axis, with gaps where nothing was measured for long.
 */
export function align(series: readonly ChartSeries[]): AlignedSeries {
  const pointLists = series.map(({ points }) => withGaps(points))
  const moments = [...new Set(pointLists.flatMap((points) => points.map(({ at }) => at)))].sort((a, b) => a - b)
  const indexOfTime = new Map(moments.map((at, index) => [at, index]))
  const lines = pointLists.map((points) => {
    const line = new Array<number | null | undefined>(moments.length).fill(undefined)
    for (const { at, value } of points) line[indexOfTime.get(at) as number] = value
    widenGaps(line)
    return line
  })
  const isolated = pointLists.map((points) =>
    points
      .filter(({ value }, index) => value !== null && isGap(points[index - 1]) && isGap(points[index + 1]))
      .map(({ at }) => indexOfTime.get(at) as number),
  )
  return { moments, lines, isolated }
}

/** Extends a gap from value to value, across times at which only other lines have values. */
function widenGaps(line: (number | null | undefined)[]): void {
  const widen = (from: number, step: 1 | -1) => {
    for (let index = from + step; index in line && line[index] === undefined; index += step) line[index] = null
  }
  const gaps = [...line.keys()].filter((index) => line[index] === null)
  for (const index of gaps) {
    widen(index, 1)
    widen(index, -1)
  }
}

const isGap = (point: Point | undefined) => point === undefined || point.value === null

/** A pause counts as a gap when it is longer than this many usual intervals: one missing value is not a gap yet. */
const gapFactor = 2.5
/** How many neighbouring intervals are used to find the usual one: older samples lie further apart. */
const neighbourCount = 5

/** Inserts a point without a value into every pause that is longer than usual. */
export function withGaps(points: readonly Point[]): readonly Point[] {
  const intervals = points.slice(1).map(({ at }, index) => at - (points[index] as Point).at)
  const filled: Point[] = []
  for (const [index, point] of points.entries()) {
    filled.push(point)
    const interval = intervals[index]
    if (interval === undefined) continue
    const usual = Math.max(
      median(intervals.slice(Math.max(0, index - neighbourCount), index)),
      median(intervals.slice(index + 1, index + 1 + neighbourCount)),
    )
    if (usual > 0 && interval > usual * gapFactor) filled.push({ at: point.at + usual, value: null })
  }
  return filled
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** The point nearest to a time, unless it is further away than the usual interval there. */
export function nearestPoint(points: readonly Point[], at: number): Point | undefined {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle] as Point).at < at) low = middle + 1
    else high = middle
  }
  const [before, after] = [points[low - 1], points[low]]
  const nearest = !before || (after && after.at - at < at - before.at) ? after : before
  if (!nearest) return undefined
  const index = nearest === after ? low : low - 1
  const interval = median(
    points.slice(Math.max(0, index - neighbourCount), index + neighbourCount).flatMap((point, index, near) => {
      const next = near[index + 1]
      return next ? [next.at - point.at] : []
    }),
  )
  return Math.abs(nearest.at - at) <= Math.max(interval * gapFactor, 1000) ? nearest : undefined
}

/**
 * The shortest time that a chart shows, in ms, so that the first two values of a new server do not fill the whole width.
 */
const minRange = 10 * 60_000

/**
 * The time that a chart of the last `length` ms shows: all of it, or from the first value on if the data begins later.
 * @param now by the browser's clock; values that are newer by the server's clock are shown as well
 */
export function timeRange(series: readonly ChartSeries[], length: number, now: number): TimeRange {
  const first = Math.min(...series.map(({ points }) => points[0]?.at ?? Number.POSITIVE_INFINITY))
  const to = Math.max(now, ...series.map(({ points }) => points.at(-1)?.at ?? 0))
  const from = Math.max(to - length, Math.min(first, to - minRange))
  return { from, to }
}

/** Times in which checks failed, each until the next check; adjoining ones are joined. */
export function failuresOf(points: readonly Point[], end: number): TimeRange[] {
  const spans: TimeRange[] = []
  for (const [index, point] of points.entries()) {
    if (!point.failed) continue
    const before = points[index - 1]
    // A failed check says nothing about a long pause before or after it.
    const usual = before ? point.at - before.at : minRange / 20
    const to = Math.min(points[index + 1]?.at ?? end, point.at + usual * gapFactor)
    const last = spans.at(-1)
    if (last && last.to >= point.at) last.to = Math.max(to, last.to)
    else spans.push({ from: point.at, to: Math.max(to, point.at) })
  }
  return spans
}

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

/** The statistics of a series. */
export interface Summary {
  min: number
  average: number
  max: number
  last: number
}

/** Minimum, average, maximum and the last measured value; `undefined` without values. */
export function summarize(points: readonly Point[]): Summary | undefined {
  let [min, max, sum, count, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0, 0]
  for (const { value } of points) {
    if (value === null) continue
    min = Math.min(min, value)
    max = Math.max(max, value)
    sum += value
    count += 1
    last = value
  }
  return count ? { min, max, average: sum / count, last } : undefined
}

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
