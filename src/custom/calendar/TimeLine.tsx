import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { useLocaleState, useTranslate } from 'react-admin'
import { formatDuration } from '../../components/format/format.ts'
import { hoverTitle } from '../../components/hoverTitle.ts'
import { RecordLink } from '../../components/overview/OverviewPage.tsx'
import { zoneOffset } from '../../domain/cron/timeZone.ts'
import { coverOnly } from '../../schemas/cron.ts'
import { type CalendarRow, maxStarts, minuteMs, nameOf, type TaskCalendar } from './taskCalendar.ts'

const hourMs = 3_600_000

/** Zones differ by half hours, too. */
const step = hourMs / 2

/** A full hour of the local time in the calendar. */
interface HourMark {
  /** Milliseconds since 1970. */
  at: number
  /** Of the local day: 0 to 23. */
  hour: number
}

/** The full hours of a zone's clocks from one moment to another, in milliseconds since 1970. */
export function hourMarks(from: number, to: number, zone: string): HourMark[] {
  const marks: HourMark[] = []
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const shown = at + zoneOffset(zone, at)
    if (shown % hourMs === 0) marks.push({ at, hour: (shown / hourMs) % 24 })
  }
  return marks
}

/** The line counts in minutes across and in pixels down. */
const height = 24
const middle = height / 2
/** Pixels: half a run. */
const edge = 4
/** Hours. On a phone, a word needs that much of the line. */
const wordHours = 6
const timesInTitle = 24

interface TimeLineProps {
  calendar: TaskCalendar
  zone: string
  formatTime: (at: number) => string
}

/** A row per task, with its runs on a line from now to 48 hours later. */
export function TimeLine({ calendar, zone, formatTime }: TimeLineProps) {
  const translate = useTranslate()
  const { from, to, rows } = calendar
  const hours = useMemo(() => hourMarks(from, to, zone), [from, to, zone])
  const place = (at: number) => (at - from) / minuteMs
  const lines = (marks: readonly HourMark[]) => marks.map(({ at }) => `M${place(at)} 0V${height}`).join('')
  const grid = {
    width: place(to),
    hours: lines(hours.filter(({ hour }) => hour % 6 === 0)),
    days: lines(hours.filter(({ hour }) => hour === 0)),
  }
  return (
    <Frame>
      <Marks aria-hidden="true">
        {(['run', 'band', 'overlap'] as const).map((kind) => (
          <li key={kind}>
            <svg width={28} height={height} aria-hidden="true">
              {kind === 'overlap' ? <path className="overlap" d={`M14 2V${height - 2}`} /> : null}
              <path className="run" d={kind === 'band' ? `M6 ${middle}H22` : `M14 ${middle}h.01`} />
            </svg>
            {translate(`app.cron_calendar.marks.${kind}`)}
          </li>
        ))}
      </Marks>
      <Axis from={from} to={to} zone={zone} hours={hours} />
      <ul aria-label={translate('app.shell.cron_calendar')}>
        {rows.map((row) => (
          <TaskLine key={row.task.id} row={row} grid={grid} place={place} formatTime={formatTime} />
        ))}
      </ul>
    </Frame>
  )
}

interface AxisProps {
  from: number
  to: number
  zone: string
  hours: readonly HourMark[]
}

/** Days above hours. Hidden from screen readers: each row says its next run in words. */
function Axis({ from, to, zone, hours }: AxisProps) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const format = new Intl.DateTimeFormat(locale, { timeZone: zone, weekday: 'short' })
  const left = (at: number) => ({ left: `${((at - from) / (to - from)) * 100}%` })
  const days = hours.filter(({ hour }) => hour === 0)
  const hoursBetween = (a: number, b: number) => (b - a) / minuteMs / 60
  return (
    <div className="axis" aria-hidden="true">
      <div>
        {days.every(({ at }) => hoursBetween(from, at) >= wordHours) ? (
          <b style={left(from)}>{translate('app.cron_calendar.now')}</b>
        ) : null}
        {days.map(({ at }) => (
          <b key={at} style={left(at)} data-end={hoursBetween(at, to) < wordHours}>
            {format.format(at)}
          </b>
        ))}
        {hours
          .filter(({ hour }) => hour % 6 === 0)
          .map(({ at, hour }) => (
            <small key={at} style={left(at)}>
              {String(hour).padStart(2, '0')}
            </small>
          ))}
      </div>
    </div>
  )
}

interface TaskLineProps {
  row: CalendarRow
  grid: { width: number; hours: string; days: string }
  /** Where on the line a moment is. */
  place: (at: number) => number
  formatTime: (at: number) => string
}

function TaskLine({ row, grid, place, formatTime }: TaskLineProps) {
  const { task, schedule, overlapping } = row
  const text = useRowText(row, formatTime)
  const starts = schedule.kind === 'clock' ? schedule.starts : []
  const title = () =>
    [...starts.slice(0, timesInTitle).map(formatTime), ...(starts.length > timesInTitle ? ['…'] : [])].join('\n')
  const runs = schedule.spans.map(
    ({ from, to }) => `M${place(from)} ${middle}h${Math.max(0.01, place(to) - place(from))}`,
  )
  return (
    <li>
      <div>
        <RecordLink entity="cron" record={task}>
          {nameOf(task)}
        </RecordLink>
        <small>{text}</small>
      </div>
      <div {...hoverTitle(title)}>
        <svg viewBox={`0 0 ${grid.width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          <path className="hour" d={grid.hours} />
          <path className="day" d={grid.days} />
          <path className="overlap" d={overlapping.map((at) => `M${place(at)} 2V${height - 2}`).join('')} />
          <path className="run" d={runs.join('')} />
        </svg>
      </div>
    </li>
  )
}

/** The line in words: '12 runs, next at Sun 03:00 · 2 overlaps'. */
function useRowText({ task, schedule, overlapping }: CalendarRow, formatTime: (at: number) => string): string {
  const translate = useTranslate()
  if (schedule.kind === 'every') {
    const duration = formatDuration(schedule.seconds, translate)
    return translate('resources.cron.values.every', { duration })
  }
  const { starts, isFrequent } = schedule
  const time = formatTime(starts[0] ?? 0)
  const runs = isFrequent
    ? translate('app.cron_calendar.many_runs', { count: maxStarts, time })
    : translate('app.cron_calendar.runs', { smart_count: starts.length, time })
  const smart_count = overlapping.length
  if (smart_count > 0) return `${runs} · ${translate('app.cron_calendar.overlapping', { smart_count })}`
  const hasServers = task.cover !== coverOnly || (task.servers ?? []).length > 0
  return hasServers ? runs : `${runs} · ${translate('app.cron_calendar.no_servers')}`
}

const Marks = styled('ul')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(0, 2),
  margin: theme.spacing(0, 0, 1),
  padding: 0,
  listStyle: 'none',
  fontSize: 13,
  color: theme.vars.palette.text.secondary,
  '& li': { display: 'flex', alignItems: 'center', gap: theme.spacing(0.5) },
}))

const Frame = styled('div')(({ theme }) => ({
  '--names': '300px',
  '& svg': { display: 'block', overflow: 'visible' },
  '& path': { fill: 'none', vectorEffect: 'non-scaling-stroke' },
  '& .run': { stroke: theme.vars.palette.primary.main, strokeWidth: 8, strokeLinecap: 'round' },
  // A bar through the run: seen by its form, too.
  '& .overlap': { stroke: theme.vars.palette.warning.main, strokeWidth: 4 },
  '& .hour': { stroke: theme.vars.palette.divider, strokeWidth: 1 },
  '& .day': { stroke: theme.vars.palette.control, strokeWidth: 1 },
  '& .axis': { paddingLeft: `calc(var(--names) + ${edge}px)`, fontSize: 12, color: theme.vars.palette.text.secondary },
  '& .axis > div': { position: 'relative', height: 36 },
  '& .axis b, & .axis small': { position: 'absolute', whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' },
  '& .axis b': { top: 0, fontWeight: 600, color: theme.vars.palette.text.primary },
  '& .axis [data-end=true]': { transform: 'translateX(-100%)' },
  '& .axis small': { top: 18, fontSize: 12, transform: 'translateX(-50%)' },
  '& > ul:last-of-type': { margin: 0, padding: 0, listStyle: 'none' },
  '& > ul:last-of-type > li': {
    display: 'grid',
    gridTemplateColumns: 'var(--names) minmax(0, 1fr)',
    alignItems: 'center',
    minHeight: 48,
    paddingBlock: theme.spacing(0.5),
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
  '& li > div:first-of-type': { minWidth: 0, paddingRight: theme.spacing(2), fontSize: 14 },
  '& li > div > :is(a, span)': {
    display: 'block',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.vars.palette.text.primary,
    fontWeight: 500,
  },
  '& li small': { display: 'block', fontSize: 12, color: theme.vars.palette.text.secondary },
  '& > ul:last-of-type svg': { width: '100%', height },
  // The first and the last run lie half outside of the time.
  '& .axis, & li > div:last-of-type': { paddingInlineEnd: edge },
  '& li > div:last-of-type': { paddingInlineStart: edge },
  [theme.breakpoints.down('md')]: {
    '--names': '0px',
    '& > ul:last-of-type > li': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& li > div:first-of-type': { paddingRight: 0 },
  },
}))
