import Alert from '@mui/material/Alert'
import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { useTranslate } from 'react-admin'
import { FailedChart } from '../../../components/charts/ChartState.tsx'
import { formatPercentFloor } from '../../../components/format/format.ts'
import { formatDay } from '../../../components/format/formatTime.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import {
  type DayAvailability,
  dailyAvailability,
  dayHeight,
  dayStatus,
  totalChecks,
  upPercent,
} from '../../../domain/availability.ts'
import { useTrouble } from '../../../live/trouble.ts'
import { useServiceOverview } from '../serviceHealth.ts'

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
