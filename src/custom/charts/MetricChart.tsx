import { useMemo } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { isZeroTime } from '../../live/lastReport.ts'
import { historyEndpoints } from '../../schemas/endpoints/historyEndpoints.ts'
import type { HistoryPeriod } from '../../schemas/endpoints/serviceHistory.ts'
import type { ServerRow } from '../hooks/serverMetrics.ts'
import { useSetting } from '../hooks/useSetting.ts'
import { EmptyChart, FailedChart, LoadingChart } from './ChartState.tsx'
import type { ChartDefinition } from './metricCharts.ts'
import { type ChartSeries, timeRange } from './plot/chartSeries.ts'
import { TimeChart } from './plot/TimeChart.tsx'
import { historyPeriodTimes, useHistory } from './useHistory.ts'

interface MetricChartProps {
  server: ServerRow
  chart: ChartDefinition
  period: HistoryPeriod
}

/** Seconds until a new server has its first value in the history. */
const firstValueDelay = 60

/** One chart of a server's metrics, such as its CPU use. */
export function MetricChart({ server, chart, period }: MetricChartProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const id = Number(server.id)
  const { data, error, isStale, at, retry } = useHistory(['server', id, chart.key], period, () =>
    Promise.all(chart.lines.map(({ metric }) => call(historyEndpoints.serverMetric, { id, metric, period }))),
  )
  const series = useMemo(
    (): ChartSeries[] =>
      chart.lines.map(({ metric, key, args }, index) => ({
        key: metric,
        name: translate(key, args),
        points: (data?.[index]?.data_points ?? []).map(({ ts, value }) => ({ at: ts, value })),
      })),
    [data, chart, translate],
  )
  const span = useMemo(() => timeRange(series, historyPeriodTimes[period].length, at), [series, period, at])

  if (data === undefined) return error ? <FailedChart error={error} onRetry={retry} /> : <LoadingChart />
  if (series.every(({ points }) => points.length === 0)) {
    return <NoMetricData server={server} chart={chart} isAbsent={data === null} />
  }
  return (
    <>
      {error ? <FailedChart error={error} onRetry={retry} /> : null}
      <TimeChart
        title={translate(chart.key)}
        unit={chart.unit}
        series={series}
        span={span}
        most={chart.most?.(server)}
        isStale={isStale}
      />
    </>
  )
}

/** Says why there is nothing to draw, as far as that is known. */
function NoMetricData({ server, chart, isAbsent }: Pick<MetricChartProps, 'server' | 'chart'> & { isAbsent: boolean }) {
  const translate = useTranslate()
  const setting = useSetting()
  if (isAbsent || (setting && !setting.tsdb_enabled))
    return <EmptyChart>{translate('app.charts.no_history')}</EmptyChart>
  // Read from the record: importing the live metrics would put a shared chunk into the first load of the list.
  if (isZeroTime(server.last_active)) return <EmptyChart>{translate('app.charts.offline')}</EmptyChart>
  const key = chart.isOptional ? 'app.charts.rare' : 'app.charts.nothing_yet'
  return <EmptyChart>{translate(key, { seconds: firstValueDelay })}</EmptyChart>
}
