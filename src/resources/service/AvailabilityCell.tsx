import { useRecordContext } from 'react-admin'
import { formatPercentFloor } from '../../components/format/format.ts'
import { formatMetric } from '../../components/format/formatMetric.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { type DayStatus, dailyAvailability, dayHeight, dayStatus, upPercent } from '../../domain/availability.ts'
import type { Row } from '../../records/queryRows.ts'
import type { service } from '../../schemas/service.ts'
import { type ServiceOverviewItem, serviceMetrics, useServiceOverview } from './serviceHealth.ts'
import './availabilityCell.css'

/** The last 30 days of a service as bars, with the share of checks that succeeded in them and the latency of today. */
export function AvailabilityCell() {
  const record = useRecordContext<Row<typeof service>>()
  const { translate, locale } = useLanguage()
  const { data } = useServiceOverview(({ services }) => {
    const item = services?.[String(record?.id)]
    // Selected as one text, so that a row renders only when its own values change.
    return item && JSON.stringify([statesOf(item), serviceMetrics(item)])
  })
  if (!data) return <span className="availability-cell" />
  const [states, { percent, ms }] = JSON.parse(data) as [DayStatus[], ReturnType<typeof serviceMetrics>]
  const up = percent === undefined ? undefined : formatPercentFloor(percent, locale)
  const name = up
    ? `${translate('app.charts.availability')}: ${translate('app.charts.up_percent', { percent: up })}`
    : translate('app.charts.health.unchecked')
  return (
    <span className="availability-cell">
      <svg role="img" aria-label={name} viewBox={`0 0 ${states.length * step} ${height}`}>
        <title>{name}</title>
        {drawn.map((state) => (
          <path key={state} className={state} d={barsOf(states, state)} />
        ))}
      </svg>
      <small>
        {[up, ms === undefined ? undefined : formatMetric(ms, 'ms', { translate, locale })].filter(Boolean).join(' · ')}
      </small>
    </span>
  )
}

const statesOf = ({ up, down }: ServiceOverviewItem): DayStatus[] =>
  dailyAvailability(up, down, 0).map((day) => dayStatus(upPercent(day)))

/** Pixels: a bar and the gap after it, the bar alone, and its whole height. */
const [step, width, height] = [4, 3, 16]

const drawn: readonly DayStatus[] = ['none', 'good', 'mixed', 'bad']

/** The bars of the days in one state: one element for all of them, as a list may have a hundred services. */
function barsOf(states: readonly DayStatus[], state: DayStatus): string {
  // The empty part of every bar is drawn first, below the others.
  const isDrawn = (day: DayStatus) => state === 'none' || day === state
  const filled = state === 'none' ? height : height * dayHeight[state]
  return states
    .map((day, index) => (isDrawn(day) ? `M${index * step} ${height}v${-filled}h${width}v${filled}z` : ''))
    .join('')
}
