import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { FailedChart, LoadingChart } from '../../../components/charts/ChartState.tsx'
import { type Metric, type MetricPoints, measuredCharts } from '../../../components/charts/metricCharts.ts'
import type { TimeRange } from '../../../components/charts/plot/chartSeries.ts'
import { TimeChart } from '../../../components/charts/plot/TimeChart.tsx'
import { TimelineContext, useNewCursor } from '../../../components/charts/plot/timeline.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { BacktestAlarm } from '../../../domain/alerts/backtest.ts'
import { recordedMetricsOf } from '../../../domain/alerts/recordedMetrics.ts'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'

interface AlarmChartProps {
  alarm: BacktestAlarm
  /** When the test ended, ms since 1970: the end of an alarm that would still be running. */
  until: number
}

const [hour, day] = [3_600_000, 86_400_000]

/** What the rules of an alarm looked at, around the time in which it would have been running. */
export default function AlarmChart({ alarm, until }: AlarmChartProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const cursor = useNewCursor()
  const [zoom, setZoom] = useState<TimeRange>()
  const { server_id: id, started_at: from, ended_at: to = until, causes } = alarm
  // The last day is kept in shorter averages.
  const period = until - from < day ? '1d' : '7d'
  const metrics = useMemo(() => recordedMetricsOf(causes.map(({ type }) => type)), [causes])
  const { data, error, refetch } = useQuery({
    queryKey: ['alert-rule', 'alarm', id, period, metrics],
    queryFn: () => Promise.all(metrics.map((metric) => call(historyEndpoints.serverMetric, { id, metric, period }))),
    staleTime: 60_000,
  })
  const timeline = useMemo(() => {
    const around = Math.max(hour, to - from)
    const span = zoom ?? { from: from - around, to: Math.min(until, to + around) }
    const mark = { kind: 'alarm' as const, from, to, text: translate('app.charts.marks.alarm') }
    return { span, cursor, marks: [mark], onZoom: setZoom }
  }, [zoom, from, to, until, cursor, translate])
  const charts = useMemo(() => {
    const points: MetricPoints = {}
    for (const [index, { data_points }] of (data ?? []).entries()) {
      points[metrics[index] as Metric] = data_points.map(({ ts, value }) => ({ at: ts, value }))
    }
    return measuredCharts(points, translate)
  }, [data, metrics, translate])
  if (!data) return error ? <FailedChart error={error} onRetry={() => void refetch()} /> : <LoadingChart />
  return (
    <TimelineContext value={timeline}>
      {charts.map(({ chart, series }) => (
        <TimeChart key={chart.key} title={translate(chart.key)} unit={chart.unit} series={series} />
      ))}
    </TimelineContext>
  )
}
