import Alert from '@mui/material/Alert'
import { useMemo } from 'react'
import { useTranslate } from 'react-admin'
import { EmptyChart, FailedChart, LoadingChart } from '../../../components/charts/ChartState.tsx'
import { ChartTimeline } from '../../../components/charts/ChartTimeline.tsx'
import type { ChartSeries, Point } from '../../../components/charts/plot/chartSeries.ts'
import { TimeChart } from '../../../components/charts/plot/TimeChart.tsx'
import type { TimeMark } from '../../../components/charts/plot/timeMarks.ts'
import type { PeriodChoice } from '../../../components/charts/usePeriod.ts'
import { useSetting } from '../../../components/useSetting.ts'
import type { ServiceHistory } from './useServiceHistory.ts'

interface ServiceLatencyChartProps {
  history: ServiceHistory
  /** Seconds between two checks. */
  interval: number
  choice: PeriodChoice
  marks: readonly TimeMark[]
}

/** The response times of a service, one line per server that checks it, with its failed checks. */
export function ServiceLatencyChart({ history, interval, choice, marks }: ServiceLatencyChartProps) {
  const translate = useTranslate()
  const setting = useSetting()
  const { data, error, isStale, at, retry } = history
  const series = useMemo(() => seriesOf(data?.servers ?? []), [data])
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
    <ChartTimeline choice={choice} series={series} at={at} marks={marks}>
      {error ? <FailedChart error={error} onRetry={retry} /> : null}
      {notPermittedText ? (
        <Alert severity="info" sx={{ marginTop: 2 }}>
          {notPermittedText}
        </Alert>
      ) : null}
      {data?.servers_total ? (
        <Alert severity="info" sx={{ marginTop: 2 }}>
          {translate('app.charts.worst_servers', { shown: data.servers.length, total: data.servers_total })}
        </Alert>
      ) : null}
      <div style={{ marginTop: 16 }}>
        <TimeChart title={translate('app.charts.latency')} unit="ms" series={series} isStale={isStale} />
      </div>
    </ChartTimeline>
  )
}

type Server = NonNullable<ServiceHistory['data']>['servers'][number]

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
