import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { useTranslate } from 'react-admin'
import { ChartGrid } from '../../../components/charts/ChartGrid.tsx'
import { EmptyChart, FailedChart, LoadingChart } from '../../../components/charts/ChartState.tsx'
import { ChartTimeline } from '../../../components/charts/ChartTimeline.tsx'
import { EnlargeButton } from '../../../components/charts/EnlargeButton.tsx'
import { chartId } from '../../../components/charts/metricCharts.ts'
import type { ChartSeries } from '../../../components/charts/plot/chartSeries.ts'
import { TimeChart } from '../../../components/charts/plot/TimeChart.tsx'
import type { TimeMark } from '../../../components/charts/plot/timeMarks.ts'
import { beginOfPeriod } from '../../../components/charts/useHistory.ts'
import { useLargeChart } from '../../../components/charts/useLargeChart.ts'
import type { PeriodChoice } from '../../../components/charts/usePeriod.ts'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { useSetting } from '../../../components/useSetting.ts'
import { isZeroTime } from '../../../live/lastReport.ts'
import { LargeServerChart, LargeServicesChart } from './LargeServerChart.tsx'
import { useServerBounds } from './useServerBounds.ts'
import { useServerHistory, useServerServices } from './useServerHistory.ts'

interface ServerChartsProps {
  server: ServerRow
  choice: PeriodChoice
  marks: readonly TimeMark[]
}

/** Seconds until a new server has its first value in the history. */
const firstValueDelay = 60
/** What names the chart of the checked services in an address. */
const servicesChart = 'services'

/** All charts of a server: its metrics, and the latency of the services that it checks. */
export function ServerCharts({ server, choice, marks }: ServerChartsProps) {
  const translate = useTranslate()
  const setting = useSetting()
  const large = useLargeChart()
  const id = Number(server.id)
  const history = useServerHistory(id, choice.period)
  const services = useServerServices(id, choice.period)
  const bounds = useServerBounds(server)
  const { charts, at } = history
  const from = beginOfPeriod(choice.period, at)
  const measured = charts.filter(({ chart, series }) => isMeasured(series, from, chart.isOptional))
  const absent = charts.filter(({ chart, series }) => chart.isOptional && !isMeasured(series, 0, true))
  const all = useMemo(() => [...charts.flatMap(({ series }) => series), ...services.series], [charts, services.series])
  const hasServices = isMeasured(services.series, from)
  const { error, retry, isLoaded } = history
  const timeline = { choice, at, marks }
  const enlarged = charts.find(({ chart }) => chartId(chart) === large.chart)

  if (!isLoaded) return error ? <FailedChart error={error} onRetry={retry} /> : <LoadingChart rows={3} />
  const isAbsent = history.isAbsent || (setting && !setting.tsdb_enabled)
  const isEmpty = measured.length === 0 && !hasServices
  if (isEmpty && isAbsent) return <EmptyChart>{translate('app.charts.no_history')}</EmptyChart>
  return (
    <>
      <ChartTimeline {...timeline} series={all}>
        {error ? <FailedChart error={error} onRetry={retry} /> : null}
        {isEmpty ? (
          <EmptyChart>
            {/* Read from the record: importing the live metrics would put a shared chunk into the first load of the list. */}
            {translate(`app.charts.${isZeroTime(server.last_active) ? 'offline' : 'nothing_yet'}`, {
              seconds: firstValueDelay,
            })}
          </EmptyChart>
        ) : null}
        <ChartGrid>
          {measured.map(({ chart, series }) => (
            <TimeChart
              key={chart.key}
              title={translate(chart.key)}
              unit={chart.unit}
              series={series}
              most={chart.most?.(server)}
              bounds={bounds}
              isStale={history.isStale}
              action={<EnlargeButton title={translate(chart.key)} onClick={() => large.open(chartId(chart))} />}
            />
          ))}
          {hasServices ? (
            <TimeChart
              title={translate('app.charts.metrics.services')}
              unit="ms"
              series={services.series}
              isStale={services.isStale}
              action={
                <EnlargeButton
                  title={translate('app.charts.metrics.services')}
                  onClick={() => large.open(servicesChart)}
                />
              }
            />
          ) : null}
        </ChartGrid>
        {services.error ? <FailedChart error={services.error} onRetry={services.retry} /> : null}
        {absent.length > 0 ? (
          <Note>
            {translate('app.charts.not_measured', {
              names: absent.map(({ chart }) => translate(chart.key)).join(', '),
            })}
          </Note>
        ) : null}
      </ChartTimeline>
      {enlarged ? (
        <LargeServerChart
          {...timeline}
          server={server}
          measured={enlarged}
          bounds={bounds}
          isStale={history.isStale}
          large={large}
        />
      ) : null}
      {large.chart === servicesChart ? (
        <LargeServicesChart {...timeline} series={services.series} isStale={services.isStale} onClose={large.close} />
      ) : null}
    </>
  )
}

/**
 * Whether any of the series has a value since then.
 * @param isOptional whether zeros are as good as none: swap of nothing, as without a swap partition
 */
const isMeasured = (series: readonly ChartSeries[], from: number, isOptional = false): boolean =>
  series.some(({ points }) => points.some(({ at, value }) => at >= from && (!isOptional || value)))

const Note = styled('p')(({ theme }) => ({
  margin: theme.spacing(2, 0, 0),
  fontSize: 13,
  color: theme.vars.palette.text.secondary,
}))
