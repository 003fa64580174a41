/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { formatBytes, formatNumber, formatSpeeds } from '../../components/format/format.ts'
import { useLanguage } from '../parts/language.ts'
import { fetchLatencies, fetchMetric, type ShownMetric, shownMetrics } from './fetchHistory.ts'
import { LineChart, type Point } from './LineChart.tsx'

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
