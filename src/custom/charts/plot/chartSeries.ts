/** One moment of a course: `at` in ms since 1970; a `value` of null is a moment without a figure. */
export interface Point {
  at: number
  value: number | null
  /** Something was tried at this moment and failed: there is no figure, but this is no gap either. */
  failed?: true
}

/** One line of a chart. Its points are in the order of time. */
export interface ChartSeries {
  key: string
  name: string
  points: readonly Point[]
  /** How much of the time all was well, in percent, where the chart is about that. */
  upPercent?: number
}

/** A stretch of time, in ms since 1970. */
export interface TimeRange {
  from: number
  to: number
}

/** Lines as a plot wants them: one row of moments, and for each line a value, `null` for a gap, or nothing to say. */
export interface AlignedSeries {
  moments: number[]
  lines: (number | null | undefined)[][]
  /** For each line, the places in `moments` of points with a gap on both sides: no line is drawn to them. */
  isolated: number[][]
}

/**
 * Brings lines with moments of their own onto one row of moments. Where nothing was measured for long, there is a gap.
 */
export function align(series: readonly ChartSeries[]): AlignedSeries {
  const pieces = series.map(({ points }) => withGaps(points))
  const moments = [...new Set(pieces.flatMap((points) => points.map(({ at }) => at)))].sort((a, b) => a - b)
  const placeOf = new Map(moments.map((at, place) => [at, place]))
  const lines = pieces.map((points) => {
    const line = new Array<number | null | undefined>(moments.length).fill(undefined)
    for (const { at, value } of points) line[placeOf.get(at) as number] = value
    widenGaps(line)
    return line
  })
  const isolated = pieces.map((points) =>
    points
      .filter(({ value }, index) => value !== null && isGap(points[index - 1]) && isGap(points[index + 1]))
      .map(({ at }) => placeOf.get(at) as number),
  )
  return { moments, lines, isolated }
}

/** A gap reaches from figure to figure, over the moments at which only other lines have something. */
function widenGaps(line: (number | null | undefined)[]): void {
  const widen = (from: number, step: 1 | -1) => {
    for (let place = from + step; place in line && line[place] === undefined; place += step) line[place] = null
  }
  const gaps = [...line.keys()].filter((place) => line[place] === null)
  for (const place of gaps) {
    widen(place, 1)
    widen(place, -1)
  }
}

const isGap = (point: Point | undefined) => point === undefined || point.value === null

/** How many usual distances may pass without a figure before it counts as a gap: one lost figure is none yet. */
const patience = 2.5
/** How many distances around one tell what is usual there: samples lie further apart the older they are. */
const around = 5

/** Puts a moment without a figure into every stretch in which nothing was measured for longer than usual. */
export function withGaps(points: readonly Point[]): readonly Point[] {
  const distances = points.slice(1).map(({ at }, index) => at - (points[index] as Point).at)
  const filled: Point[] = []
  for (const [index, point] of points.entries()) {
    filled.push(point)
    const distance = distances[index]
    if (distance === undefined) continue
    const usual = Math.max(
      median(distances.slice(Math.max(0, index - around), index)),
      median(distances.slice(index + 1, index + 1 + around)),
    )
    if (usual > 0 && distance > usual * patience) filled.push({ at: point.at + usual, value: null })
  }
  return filled
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** The point nearest to a moment, unless that is further away than the points lie apart there. */
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
  const place = nearest === after ? low : low - 1
  const reach = median(
    points.slice(Math.max(0, place - around), place + around).flatMap((point, index, near) => {
      const next = near[index + 1]
      return next ? [next.at - point.at] : []
    }),
  )
  return Math.abs(nearest.at - at) <= Math.max(reach * patience, 1000) ? nearest : undefined
}

/**
 * Least time that a chart shows, in ms: the first two figures of a new server are no steep line over a whole screen.
 */
const leastSpan = 10 * 60_000

/**
 * What a chart of the last `length` ms shows: all of it, or from the first figure on where there are none from before.
 * @param now by this browser's clock; figures that are newer by the server's are shown as well
 */
export function timeRange(series: readonly ChartSeries[], length: number, now: number): TimeRange {
  const first = Math.min(...series.map(({ points }) => points[0]?.at ?? Number.POSITIVE_INFINITY))
  const to = Math.max(now, ...series.map(({ points }) => points.at(-1)?.at ?? 0))
  const from = Math.max(to - length, Math.min(first, to - leastSpan))
  return { from, to }
}

/** Stretches in which a check failed, for as long as until the next one; those that touch are one. */
export function failuresOf(points: readonly Point[], end: number): TimeRange[] {
  const spans: TimeRange[] = []
  for (const [index, point] of points.entries()) {
    if (!point.failed) continue
    const before = points[index - 1]
    // A check that failed after a long silence says nothing about the silence; nor does the last one about what
    // follows.
    const usual = before ? point.at - before.at : leastSpan / 20
    const to = Math.min(points[index + 1]?.at ?? end, point.at + usual * patience)
    const last = spans.at(-1)
    if (last && last.to >= point.at) last.to = Math.max(to, last.to)
    else spans.push({ from: point.at, to: Math.max(to, point.at) })
  }
  return spans
}
