/** @jsxImportSource preact */
import { useLanguage } from '../parts/language.ts'
import { shortTime } from '../texts/shortTime.ts'

/** A moment in milliseconds since 1970, and a value; `null` leaves a gap in the line. */
export interface Point {
  ts: number
  value: number | null
}

interface LineChartProps {
  label: string
  points: readonly Point[]
  format: (value: number) => string
}

const [width, height] = [600, 120]
/** Milliseconds without a value that leave a gap in the line. */
const gapMs = 15 * 60_000

/** The course of one metric over a day; the axis begins at 0. */
export function LineChart({ label, points, format }: LineChartProps) {
  const { texts, locale } = useLanguage()
  const values = points.flatMap(({ value }) => value ?? [])
  const [least, max, latest] = [Math.min(...values), Math.max(...values), values.at(-1)]
  const [first, last] = [points[0], points.at(-1)]
  return (
    <figure class="panel chart">
      <figcaption class="row">
        <h3>{label}</h3>
        {latest !== undefined && <span>{format(latest)}</span>}
      </figcaption>
      {!first || !last || latest === undefined ? (
        <p class="quiet">{texts.noData}</p>
      ) : (
        <>
          <div class="quiet" aria-hidden="true">
            {format(max)}
          </div>
          <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${label}: ${format(least)} – ${format(max)}`}
          >
            <line x1={0} x2={width} y1={0} y2={0} />
            <line x1={0} x2={width} y1={height} y2={height} />
            <path d={pathOf(points, max)} />
          </svg>
          <div class="row quiet" aria-hidden="true">
            <span>{shortTime(first.ts, last.ts, locale)}</span>
            <span>{shortTime(last.ts, last.ts, locale)}</span>
          </div>
        </>
      )}
    </figure>
  )
}

/** Whether the line does not lead from one value to its neighbour. */
const isApart = (neighbour: Point | undefined, ts: number) =>
  !neighbour || neighbour.value === null || Math.abs(ts - neighbour.ts) > gapMs

function pathOf(points: readonly Point[], max: number): string {
  // One value has no course: a level line.
  if (points.length === 1) return `M0 0H${width}`
  const [from = 0, to = 0] = [points[0]?.ts, points.at(-1)?.ts]
  return points
    .map(({ ts, value }, index) => {
      if (value === null) return ''
      const isGap = isApart(points[index - 1], ts)
      // A value between two gaps is a dot: a line needs some length to be drawn.
      const isAlone = isGap && isApart(points[index + 1], ts)
      const x = to > from ? ((ts - from) / (to - from)) * width : 0
      const y = max > 0 ? height - (value / max) * height : height
      return `${isGap ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}${isAlone ? 'h2' : ''}`
    })
    .join('')
}
