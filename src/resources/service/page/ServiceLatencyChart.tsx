import Alert from '@mui/material/Alert'
import { useMemo } from 'react'
import { useTranslate } from 'react-admin'
import { EmptyChart, FailedChart, LoadingChart } from '../../../components/charts/ChartState.tsx'
import { ChartTimeline, type PeriodChoice } from '../../../components/charts/ChartTimeline.tsx'
import { EnlargeButton, LargeChart, useLargeChart } from '../../../components/charts/LargeChart.tsx'
import type { TimeMark } from '../../../components/charts/plot/chartSeries.ts'
import { TimeChart } from '../../../components/charts/plot/TimeChart.tsx'
import { useSetting } from '../../../components/useSetting.ts'
import type { Row } from '../../../records/queryRows.ts'
import type { service as serviceEntity } from '../../../schemas/service.ts'
import { latencyBounds, latencySeries, type ServiceHistory } from './useServiceHistory.ts'

interface ServiceLatencyChartProps {
  service: Row<typeof serviceEntity>
  history: ServiceHistory
  choice: PeriodChoice
  marks: readonly TimeMark[]
}

/** What names the chart in an address. */
const latencyChart = 'latency'

/** The response times of a service, one line per server that checks it, with its failed checks and its bounds. */
export function ServiceLatencyChart({ service, history, choice, marks }: ServiceLatencyChartProps) {
  const translate = useTranslate()
  const setting = useSetting()
  const large = useLargeChart()
  const { data, error, isStale, at, retry } = history
  const { period } = choice
  const series = useMemo(() => latencySeries(data?.servers ?? [], period, at), [data, period, at])
  const bounds = useMemo(() => latencyBounds(service, series), [service, series])
  const notPermitted = (data?.servers ?? []).filter(({ stats }) => stats.not_permitted).map((one) => one.server_name)

  if (data === undefined) return error ? <FailedChart error={error} onRetry={retry} /> : <LoadingChart />
  const notPermittedText =
    notPermitted.length > 0 && translate('app.charts.not_permitted_on', { names: notPermitted.join(', ') })
  const isAbsent = data === null || (setting && !setting.tsdb_enabled)
  const isEmpty = series.length === 0
  if (isEmpty && isAbsent) return <EmptyChart>{notPermittedText || translate('app.charts.no_history')}</EmptyChart>
  const timeline = { choice, series, at, marks }
  const title = translate('app.charts.latency')
  const chart = { title, unit: 'ms', series, bounds, isStale } as const
  return (
    <>
      <ChartTimeline {...timeline}>
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
        {isEmpty ? (
          notPermittedText ? null : (
            <EmptyChart>
              {service.paused
                ? translate('app.charts.summary_none', { name: title })
                : translate('app.charts.nothing_yet', { seconds: Number(service.duration) || 30 })}
            </EmptyChart>
          )
        ) : (
          <div style={{ marginTop: 16 }}>
            <TimeChart {...chart} action={<EnlargeButton title={title} onClick={() => large.open(latencyChart)} />} />
          </div>
        )}
      </ChartTimeline>
      {large.chart === latencyChart && !isEmpty ? (
        <LargeChart
          title={translate('app.charts.large_title', { name: service.name, chart: title })}
          onClose={large.close}
        >
          <ChartTimeline {...timeline}>
            <div style={{ marginTop: 16 }}>
              <TimeChart {...chart} isLarge />
            </div>
          </ChartTimeline>
        </LargeChart>
      ) : null}
    </>
  )
}
