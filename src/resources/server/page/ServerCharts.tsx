import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { useTranslate } from 'react-admin'
import { EmptyChart, FailedChart, LoadingChart } from '../../../components/charts/ChartState.tsx'
import { ChartTimeline } from '../../../components/charts/ChartTimeline.tsx'
import { TimeChart } from '../../../components/charts/plot/TimeChart.tsx'
import type { TimeMark } from '../../../components/charts/plot/timeMarks.ts'
import type { PeriodChoice } from '../../../components/charts/usePeriod.ts'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { useSetting } from '../../../components/useSetting.ts'
import { isZeroTime } from '../../../live/lastReport.ts'
import { useServerHistory, useServerServices } from './useServerHistory.ts'

interface ServerChartsProps {
  server: ServerRow
  choice: PeriodChoice
  marks: readonly TimeMark[]
}

/** Seconds until a new server has its first value in the history. */
const firstValueDelay = 60

/** All charts of a server: its metrics, and the latency of the services that it checks. */
export function ServerCharts({ server, choice, marks }: ServerChartsProps) {
  const translate = useTranslate()
  const setting = useSetting()
  const id = Number(server.id)
  const history = useServerHistory(id, choice.period)
  const services = useServerServices(id, choice.period)
  const { charts } = history
  const measured = charts.filter(({ chart, series }) =>
    // Swap of nothing, as without a swap partition, is as good as none.
    series.some(({ points }) => (chart.isOptional ? points.some(({ value }) => value) : points.length > 0)),
  )
  const absent = charts.filter(({ chart }) => chart.isOptional && !measured.some((one) => one.chart === chart))
  const all = useMemo(() => [...charts.flatMap(({ series }) => series), ...services.series], [charts, services.series])
  const hasServices = services.series.some(({ points }) => points.length > 0)
  const { error, retry, isLoaded } = history

  if (!isLoaded) return error ? <FailedChart error={error} onRetry={retry} /> : <LoadingChart />
  if (measured.length === 0 && !hasServices) {
    const isAbsent = history.isAbsent || (setting && !setting.tsdb_enabled)
    // Read from the record: importing the live metrics would put a shared chunk into the first load of the list.
    const key = isAbsent ? 'no_history' : isZeroTime(server.last_active) ? 'offline' : 'nothing_yet'
    return <EmptyChart>{translate(`app.charts.${key}`, { seconds: firstValueDelay })}</EmptyChart>
  }
  return (
    <ChartTimeline choice={choice} series={all} at={history.at} marks={marks}>
      {error ? <FailedChart error={error} onRetry={retry} /> : null}
      <ChartGrid>
        {measured.map(({ chart, series }) => (
          <TimeChart
            key={chart.key}
            title={translate(chart.key)}
            unit={chart.unit}
            series={series}
            most={chart.most?.(server)}
            isStale={history.isStale}
          />
        ))}
        {hasServices ? (
          <TimeChart
            title={translate('app.charts.metrics.services')}
            unit="ms"
            series={services.series}
            isStale={services.isStale}
          />
        ) : null}
      </ChartGrid>
      {services.error ? <FailedChart error={services.error} onRetry={services.retry} /> : null}
      {absent.length > 0 ? (
        <Note>
          {translate('app.charts.not_measured', { names: absent.map(({ chart }) => translate(chart.key)).join(', ') })}
        </Note>
      ) : null}
    </ChartTimeline>
  )
}

const ChartGrid = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 400px), 1fr))',
  gap: theme.spacing(3, 4),
  marginTop: theme.spacing(2),
  '& > *': { minWidth: 0 },
}))

const Note = styled('p')(({ theme }) => ({
  margin: theme.spacing(2, 0, 0),
  fontSize: 13,
  color: theme.vars.palette.text.secondary,
}))
