import { useMemo } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { historyEndpoints } from '../../schemas/endpoints/historyEndpoints.ts'
import type { HistoryPeriod } from '../../schemas/endpoints/serviceHistory.ts'
import type { ServerRow } from '../hooks/serverMetrics.ts'
import { useSetting } from '../hooks/useSetting.ts'
import { EmptyChart, FailedChart, LoadingChart } from './ChartState.tsx'
import { type ChartSeries, timeRange } from './plot/chartSeries.ts'
import { TimeChart } from './plot/TimeChart.tsx'
import { historyPeriodTimes, orOnNotFound, useHistory } from './useHistory.ts'

/** The response times of the services that one server checks. */
export function ServerServicesChart({ server, period }: { server: ServerRow; period: HistoryPeriod }) {
  const translate = useTranslate()
  const setting = useSetting()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const id = Number(server.id)
  const { data, error, isStale, at, retry } = useHistory(['server', id, 'services'], period, () =>
    orOnNotFound(call(historyEndpoints.serverServices, { id, period }), () =>
      call(historyEndpoints.serverServicesBefore, { id }),
    ),
  )
  const series = useMemo(
    (): ChartSeries[] =>
      [...(data ?? [])]
        .sort((one, other) => other.display_index - one.display_index || one.monitor_id - other.monitor_id)
        .map(({ monitor_id, monitor_name, created_at, avg_delay }) => ({
          key: String(monitor_id),
          name: monitor_name || `#${monitor_id}`,
          points: created_at.map((moment, index) => ({ at: moment, value: avg_delay[index] ?? null })),
        })),
    [data],
  )
  const span = useMemo(() => timeRange(series, historyPeriodTimes[period].length, at), [series, period, at])

  if (data === undefined) return error ? <FailedChart error={error} onRetry={retry} /> : <LoadingChart />
  if (series.length === 0) {
    const isAbsent = data === null || (setting && !setting.tsdb_enabled)
    return <EmptyChart>{translate(isAbsent ? 'app.charts.no_history' : 'app.charts.no_services')}</EmptyChart>
  }
  return (
    <>
      {error ? <FailedChart error={error} onRetry={retry} /> : null}
      <TimeChart title={translate('app.charts.latency')} unit="ms" series={series} span={span} isStale={isStale} />
    </>
  )
}
