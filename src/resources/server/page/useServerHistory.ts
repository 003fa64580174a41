import { useMemo } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import {
  type ChartDefinition,
  type MeasuredChart,
  type Metric,
  type MetricPoints,
  metricCharts,
} from '../../../components/charts/metricCharts.ts'
import type { ChartSeries, Point } from '../../../components/charts/plot/chartSeries.ts'
import { type ChartPeriod, useHistory } from '../../../components/charts/useHistory.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'
import type { HistoryPeriod } from '../../../schemas/endpoints/serviceHistory.ts'

/** All metrics of a server over a period: one answer for all charts, so that they are drawn, and drawn anew, at once. */
export function useServerHistory(id: number, period: ChartPeriod) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, ...history } = useHistory(['server', id, 'metrics'], period, (asked) =>
    readMetrics(call, id, everyMetric, asked),
  )
  const charts = useMemo(
    (): MeasuredChart[] =>
      metricCharts.map((chart) => ({
        chart,
        series: chart.lines.map(({ metric, key, args }) => ({
          key: metric,
          name: translate(key, args),
          points: data?.[metric] ?? [],
        })),
      })),
    [data, translate],
  )
  return { ...history, charts, isLoaded: data !== undefined, isAbsent: data === null }
}

const everyMetric = metricCharts.flatMap(({ lines }) => lines.map(({ metric }) => metric))

/** The lines of one chart for another server; none without one. Their keys are not those of the first server. */
export function useOtherServer(id: number | undefined, chart: ChartDefinition, period: ChartPeriod) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const metrics = chart.lines.map(({ metric }) => metric)
  const subject = id === undefined ? undefined : ['server', id, 'metrics', metrics]
  const { data, ...history } = useHistory(subject, period, async (asked) => ({
    id,
    points: await readMetrics(call, id as number, metrics, asked),
  }))
  // While another one loads, the lines of the one before are not passed off as its own.
  const points = id !== undefined && data?.id === id ? data.points : undefined
  const series = useMemo(
    () =>
      points &&
      chart.lines.map(
        ({ metric, key, args }): ChartSeries => ({
          key: `${metric} of ${id}`,
          name: translate(key, args),
          points: points[metric] ?? [],
        }),
      ),
    [points, chart, id, translate],
  )
  return { ...history, series }
}

type Call = ConsoleDataProvider['call']

/**
 * Asks for metrics of a server. One that does not know one of them has the others all the same.
 * @throws when it has none of them
 */
export async function readMetrics(
  call: Call,
  id: number,
  metrics: readonly Metric[],
  period: HistoryPeriod,
): Promise<MetricPoints> {
  const answers = await Promise.allSettled(
    metrics.map((metric) => call(historyEndpoints.serverMetric, { id, metric, period })),
  )
  if (answers.every(({ status }) => status === 'rejected')) throw (answers[0] as PromiseRejectedResult).reason
  const points: MetricPoints = {}
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'rejected') continue
    points[metrics[index] as Metric] = answer.value.data_points.map(({ ts, value }) => ({ at: ts, value }))
  }
  return points
}

/** The response times of the services that a server checks, a line for each. */
export function useServerServices(id: number, period: ChartPeriod) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, ...history } = useHistory(
    ['server', id, 'services'],
    period,
    (asked) => call(historyEndpoints.serverServices, { id, period: asked }),
    () => call(historyEndpoints.serverServicesBefore, { id }),
  )
  const series = useMemo(
    (): ChartSeries[] =>
      [...(data ?? [])]
        .sort((one, other) => other.display_index - one.display_index || one.monitor_id - other.monitor_id)
        .map(({ monitor_id, monitor_name, created_at, avg_delay }) => ({
          key: String(monitor_id),
          name: monitor_name || `#${monitor_id}`,
          points: created_at.map((at, index): Point => {
            const value = avg_delay[index]
            return value ? { at, value } : { at, value: null, failed: true }
          }),
        })),
    [data],
  )
  return { ...history, series }
}
