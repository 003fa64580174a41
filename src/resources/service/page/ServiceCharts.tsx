import Alert from '@mui/material/Alert'
import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { useTranslate } from 'react-admin'
import { EmptyChart, FailedChart, LoadingChart } from '../../../components/charts/ChartState.tsx'
import { ChartTimeline, type PeriodChoice } from '../../../components/charts/ChartTimeline.tsx'
import { EnlargeButton, LargeChart, useLargeChart } from '../../../components/charts/LargeChart.tsx'
import type { TimeMark } from '../../../components/charts/plot/chartSeries.ts'
import { TimeChart } from '../../../components/charts/plot/TimeChart.tsx'
import { formatDay, formatPercentFloor } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { useSetting } from '../../../components/useSetting.ts'
import {
  type DayAvailability,
  dailyAvailability,
  dayHeight,
  dayStatus,
  totalChecks,
  upPercent,
} from '../../../domain/availability.ts'
import { useTrouble } from '../../../live/trouble.ts'
import type { Row } from '../../../records/queryRows.ts'
import type { service as serviceEntity } from '../../../schemas/service.ts'
import { useServiceOverview } from '../serviceHealth.ts'
import { latencyBounds, latencySeries, type ServiceHistory } from './useServiceHistory.ts'

/**
 * The last 30 days of a service, and why a check failed that did not make it down: why it is down stands above the page.
 * All server versions report these.
 */
export function ServiceAvailability({ id }: { id: number }) {
  const translate = useTranslate()
  const { data, error, dataUpdatedAt, refetch } = useServiceOverview(({ services }) => ({ summary: services?.[id] }))
  const summary = data?.summary
  const isDown = useTrouble(
    ({ troubles }) => troubles?.some((one) => one.kind === 'service_down' && one.service_id === id) === true,
  )
  const days = useMemo(
    () => dailyAvailability(summary?.up ?? noChecks, summary?.down ?? noChecks, dataUpdatedAt),
    [summary, dataUpdatedAt],
  )
  if (!data)
    return error ? <FailedChart error={error} onRetry={() => void refetch()} /> : <div style={{ height: 78 }} />
  return (
    <>
      {summary?.not_permitted ? (
        <Alert severity="info" sx={{ marginBottom: 2 }}>
          {translate('app.charts.not_permitted')} {summary.problem}
        </Alert>
      ) : summary?.problem && !isDown ? (
        <Alert severity="warning" sx={{ marginBottom: 2 }}>
          {summary.problem}
        </Alert>
      ) : null}
      <AvailabilityStrip days={days} />
    </>
  )
}

/** For a service that the server does not report yet: thirty days without a check. */
const noChecks: readonly number[] = Array.from({ length: 30 }, () => 0)

/** One bar per day of a service, by its share of successful checks. Each bar has a text: a tooltip, and for screen readers. */
function AvailabilityStrip({ days }: { days: readonly DayAvailability[] }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const percent = upPercent(totalChecks(days))
  const describeDay = (day: DayAvailability) => {
    const up = upPercent(day)
    const date = formatDay(day.at, locale)
    if (up === undefined) return translate('app.charts.day_none', { date })
    return translate('app.charts.day', { date, percent: formatPercentFloor(up, locale), smart_count: day.down })
  }
  return (
    <Strip>
      <header>
        <h3>{translate('app.charts.availability')}</h3>
        <span>
          {percent === undefined
            ? translate('app.charts.health.unchecked')
            : translate('app.charts.up_percent', { percent: formatPercentFloor(percent, locale) })}
        </span>
      </header>
      <ol>
        {days.map((day) => (
          <li key={day.at} data-health={dayStatus(upPercent(day))} title={describeDay(day)}>
            <span className="visually-hidden">{describeDay(day)}</span>
          </li>
        ))}
      </ol>
      <footer aria-hidden="true">
        <span>{days[0] ? formatDay(days[0].at, locale) : ''}</span>
        <span>{translate('app.charts.today')}</span>
      </footer>
    </Strip>
  )
}

const Strip = styled('section')(({ theme }) => ({
  '& > header, & > footer': { display: 'flex', justifyContent: 'space-between', gap: theme.spacing(1) },
  '& > header > h3': { ...theme.typography.h3, margin: 0 },
  '& > header > span': { fontSize: 13, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& > footer': { fontSize: 12, color: theme.vars.palette.text.secondary },
  '& > ol': { display: 'flex', gap: 2, height: 28, margin: theme.spacing(1, 0, 0.5), padding: 0, listStyle: 'none' },
  '& li': { forcedColorAdjust: 'none', flex: 1, minWidth: 2, borderRadius: 2, background: theme.vars.palette.track },
  '& li[data-health=good]': { background: theme.vars.palette.success.main },
  // Height as well as colour, for people who do not see the colours.
  '& li[data-health=mixed]': {
    background: `linear-gradient(to top, ${theme.vars.palette.warning.main} ${100 * dayHeight.mixed}%, ${theme.vars.palette.track} 0)`,
  },
  '& li[data-health=bad]': {
    background: `linear-gradient(to top, ${theme.vars.palette.error.main} ${100 * dayHeight.bad}%, ${theme.vars.palette.track} 0)`,
  },
}))

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
