import { useMemo } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { type ChartDefinition, metricCharts } from '../../../components/charts/metricCharts.ts'
import type { ChartSeries, Point } from '../../../components/charts/plot/chartSeries.ts'
import { useHistory } from '../../../components/charts/useHistory.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'
import type { HistoryPeriod, serverMetrics } from '../../../schemas/endpoints/serviceHistory.ts'

type Metric = (typeof serverMetrics)[number]
type MetricPoints = Partial<Record<Metric, readonly Point[]>>

/** A chart with the lines that the server has of it. */
export interface MeasuredChart {
  chart: ChartDefinition
  series: readonly ChartSeries[]
}

/** All metrics of a server over a period: one answer for all charts, so that they are drawn, and drawn anew, at once. */
export function useServerHistory(id: number, period: HistoryPeriod) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, ...history } = useHistory(['server', id, 'metrics'], period, async () => {
    const metrics = metricCharts.flatMap(({ lines }) => lines.map(({ metric }) => metric))
    const answers = await Promise.allSettled(
      metrics.map((metric) => call(historyEndpoints.serverMetric, { id, metric, period })),
    )
    // A server that does not know one of the metrics has the others all the same.
    if (answers.every(({ status }) => status === 'rejected')) throw (answers[0] as PromiseRejectedResult).reason
    const points: MetricPoints = {}
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'rejected') continue
      points[metrics[index] as Metric] = answer.value.data_points.map(({ ts, value }) => ({ at: ts, value }))
    }
    return points
  })
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

/** The response times of the services that a server checks, a line for each. */
export function useServerServices(id: number, period: HistoryPeriod) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, ...history } = useHistory(
    ['server', id, 'services'],
    period,
    () => call(historyEndpoints.serverServices, { id, period }),
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
