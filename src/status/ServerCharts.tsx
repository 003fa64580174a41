/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { formatBytes, formatNumber, formatSpeeds } from '../components/format/format.ts'
import type { ReplyOf } from '../schemas/define/endpoint.ts'
import type { historyEndpoints } from '../schemas/endpoints/historyEndpoints.ts'
import { useLanguage } from './language.ts'
import { shortTime } from './statusTexts.ts'

interface History {
  metrics: Record<ShownMetric, Point[]>
  latencies: { name: string; points: Point[] }[]
}

/** Charts of services that are drawn. */
const maxLatencies = 12

/** A day of a server's metrics, and of the services that it checks. */
export function ServerCharts({ id }: { id: number }) {
  const { texts, locale } = useLanguage()
  const [history, setHistory] = useState<History | 'failed'>()
  useEffect(() => {
    fetchHistory(id).then(setHistory, () => setHistory('failed'))
  }, [id])
  if (history === 'failed') return <p role="alert">{texts.notLoaded}</p>
  if (!history) return null
  const bytes = (value: number) => formatBytes(value, locale)
  const speed = (value: number) => formatSpeeds([value], locale)[0] ?? ''
  const percent = (value: number) => `${formatNumber(value, locale)} %`
  const number = (value: number) => formatNumber(value, locale)
  const milliseconds = (value: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 1 }).format(value)
  const charts: [ShownMetric, string, (value: number) => string][] = [
    ['cpu', texts.cpu, percent],
    ['memory', texts.memory, bytes],
    ['disk', texts.disk, bytes],
    ['net_in_speed', `${texts.network}, ${texts.received}`, speed],
    ['net_out_speed', `${texts.network}, ${texts.sent}`, speed],
    ['load1', texts.load, number],
  ]
  return (
    <section aria-labelledby="charts">
      <div class="toolbar">
        <h2 id="charts">{texts.lastDay}</h2>
      </div>
      <div class="charts">
        {charts.map(([metric, label, format]) => (
          <LineChart key={metric} label={label} points={history.metrics[metric]} format={format} />
        ))}
        {history.latencies.slice(0, maxLatencies).map(({ name, points }) => (
          <LineChart key={name} label={`${texts.latency}: ${name}`} points={points} format={milliseconds} />
        ))}
      </div>
    </section>
  )
}

async function fetchHistory(id: number): Promise<History> {
  const [latencies, ...metrics] = await Promise.all([
    fetchLatencies(id),
    ...shownMetrics.map(async (metric) => [metric, await fetchMetric(id, metric)] as const),
  ])
  return { latencies, metrics: Object.fromEntries(metrics) as History['metrics'] }
}

/** The metrics whose course visitors see. */
const shownMetrics = ['cpu', 'memory', 'disk', 'net_in_speed', 'net_out_speed', 'load1'] as const
type ShownMetric = (typeof shownMetrics)[number]

/** The course of a metric in the last day, which is all that a guest may ask for. */
async function fetchMetric(server: number, metric: ShownMetric): Promise<Point[]> {
  type Reply = ReplyOf<typeof historyEndpoints.serverMetric>
  const { data_points } = await fetchData<Reply>(`server/${server}/metrics?metric=${metric}&period=1d`)
  return data_points
}

/** The latency of each service that the server checks, by the name of the service. */
async function fetchLatencies(server: number): Promise<{ name: string; points: Point[] }[]> {
  type Reply = ReplyOf<typeof historyEndpoints.serverServices>
  const services = await fetchData<Reply | undefined>(`server/${server}/service?period=1d`)
  return (services ?? []).map(({ monitor_name, created_at, avg_delay }) => ({
    name: monitor_name,
    points: created_at.map((ts, index) => ({ ts, value: avg_delay[index] ?? null })),
  }))
}

/** @throws Error when the server cannot be reached or refuses */
async function fetchData<Data>(path: string): Promise<Data> {
  const reply = await fetch(`/api/v1/${path}`)
  const { data, error } = (await reply.json()) as { data: Data; error?: string }
  if (error !== undefined) throw new Error(error)
  return data
}

/** A moment in milliseconds since 1970, and a value; `null` leaves a gap in the line. */
interface Point {
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
function LineChart({ label, points, format }: LineChartProps) {
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
