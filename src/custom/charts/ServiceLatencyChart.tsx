import Alert from '@mui/material/Alert'
import { useMemo } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ReplyOf } from '../../schemas/define/endpoint.ts'
import { historyEndpoints } from '../../schemas/endpoints/historyEndpoints.ts'
import type { HistoryPeriod } from '../../schemas/endpoints/serviceHistory.ts'
import { useSetting } from '../hooks/useSetting.ts'
import { EmptyChart, FailedChart, LoadingChart } from './ChartState.tsx'
import { type ChartSeries, type Point, timeRange } from './plot/chartSeries.ts'
import { TimeChart } from './plot/TimeChart.tsx'
import { historyPeriodTimes, useHistory } from './useHistory.ts'

interface ServiceLatencyChartProps {
  id: number
  /** Seconds between two checks. */
  interval: number
  period: HistoryPeriod
}

/** The response times of a service, one line per server that checks it, with its failed checks. */
export function ServiceLatencyChart({ id, interval, period }: ServiceLatencyChartProps) {
  const translate = useTranslate()
  const setting = useSetting()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error, isStale, at, retry } = useHistory(['service', id], period, () =>
    call(historyEndpoints.serviceHistory, { id, period }),
  )
  const series = useMemo(() => seriesOf(data?.servers ?? []), [data])
  const span = useMemo(() => timeRange(series, historyPeriodTimes[period].length, at), [series, period, at])
  const notPermitted = (data?.servers ?? []).filter(({ stats }) => stats.not_permitted).map((one) => one.server_name)

  if (data === undefined) return error ? <FailedChart error={error} onRetry={retry} /> : <LoadingChart />
  const notPermittedText =
    notPermitted.length > 0 && translate('app.charts.not_permitted_on', { names: notPermitted.join(', ') })
  const isAbsent = data === null || (setting && !setting.tsdb_enabled)
  if (series.length === 0) {
    return (
      <EmptyChart>
        {notPermittedText ||
          translate(isAbsent ? 'app.charts.no_history' : 'app.charts.nothing_yet', { seconds: interval })}
      </EmptyChart>
    )
  }
  return (
    <>
      {error ? <FailedChart error={error} onRetry={retry} /> : null}
      {notPermittedText ? (
        <Alert severity="info" sx={{ marginBottom: 2 }}>
          {notPermittedText}
        </Alert>
      ) : null}
      {data?.servers_total ? (
        <Alert severity="info" sx={{ marginBottom: 2 }}>
          {translate('app.charts.worst_servers', { shown: data.servers.length, total: data.servers_total })}
        </Alert>
      ) : null}
      <TimeChart title={translate('app.charts.latency')} unit="ms" series={series} span={span} isStale={isStale} />
    </>
  )
}

type Server = ReplyOf<typeof historyEndpoints.serviceHistory>['servers'][number]

/** The servers that have results: those with the most failures first, then the slowest. */
function seriesOf(servers: readonly Server[]): ChartSeries[] {
  return servers
    .filter(({ stats }) => stats.data_points.length > 0)
    .sort(({ stats: one }, { stats: other }) => one.up_percent - other.up_percent || other.avg_delay - one.avg_delay)
    .map(({ server_id, server_name, stats }) => ({
      key: String(server_id),
      name: server_name || `#${server_id}`,
      upPercent: stats.up_percent,
      points: stats.data_points.map(
        ({ ts, delay, status }): Point => (status ? { at: ts, value: delay } : { at: ts, value: null, failed: true }),
      ),
    }))
}
