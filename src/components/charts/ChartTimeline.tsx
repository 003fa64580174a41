import ChevronLeft from '@mui/icons-material/ChevronLeft'
import ChevronRight from '@mui/icons-material/ChevronRight'
import ZoomIn from '@mui/icons-material/ZoomIn'
import ZoomOut from '@mui/icons-material/ZoomOut'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { type ComponentType, type ReactNode, useCallback, useMemo } from 'react'
import { useTranslate } from 'react-admin'
import { useSearchParams } from 'react-router'
import { formatChartTime } from '../format/format.ts'
import { useLanguage } from '../format/useLanguage.ts'
import { type ChartSeries, markKinds, type TimeMark, type TimeRange, timeRange } from './plot/chartSeries.ts'
import { type Timeline, TimelineContext, useNewCursor } from './plot/timeline.ts'
import { type ChartPeriod, chartPeriodTimes, useChartPeriods } from './useHistory.ts'
import { useSearchChange } from './useSearchChange.ts'

interface ChartTimelineProps {
  choice: PeriodChoice
  /** All lines of all charts: they begin at the first value of any. */
  series: readonly ChartSeries[]
  /** When the data was received, ms since 1970. */
  at: number
  marks: readonly TimeMark[]
  /** More tools beside those that choose the time. */
  tools?: ReactNode
  children: ReactNode
}

/** Charts on one time axis with one crosshair, below the buttons that choose their time. */
export function ChartTimeline({ choice, series, at, marks, tools, children }: ChartTimelineProps) {
  const translate = useTranslate()
  const cursor = useNewCursor()
  const { period, zoom, zoomTo } = choice
  const whole = useMemo(() => timeRange(series, chartPeriodTimes[period].length, at), [series, period, at])
  const span = useMemo(() => within(zoom, whole), [zoom, whole])
  const timeline = useMemo((): Timeline => ({ span, cursor, marks, onZoom: zoomTo }), [span, cursor, marks, zoomTo])
  const kinds = new Set(marks.filter(({ from, to }) => to >= span.from && from <= span.to).map(({ kind }) => kind))
  return (
    <TimelineContext value={timeline}>
      <PeriodToolbar choice={choice} timeline={timeline} whole={whole}>
        {tools}
      </PeriodToolbar>
      {kinds.size > 0 ? (
        <MarkKey>
          {markKinds.map((kind) =>
            kinds.has(kind) ? (
              <li key={kind} data-kind={kind}>
                {translate(`app.charts.marks.${kind}`)}
              </li>
            ) : null,
          )}
        </MarkKey>
      ) : null}
      {children}
    </TimelineContext>
  )
}

/** The part that is asked for, as far as there is anything of it. */
function within(zoom: TimeRange | undefined, whole: TimeRange): TimeRange {
  if (!zoom) return whole
  const [from, to] = [Math.max(zoom.from, whole.from), Math.min(zoom.to, whole.to)]
  return to - from >= minZoom ? { from, to } : whole
}

/** Says what the marks in the charts are. */
const MarkKey = styled('ul')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(0.5, 2),
  margin: theme.spacing(1, 0, 0),
  padding: 0,
  listStyle: 'none',
  fontSize: 12,
  color: theme.vars.palette.text.secondary,
  '& li': { display: 'flex', alignItems: 'center', gap: theme.spacing(0.75) },
  '& li::before': { content: '""', flex: 'none' },
  '& li:is([data-kind=run], [data-kind=failedRun])::before': {
    border: '4px solid transparent',
    borderTop: '6px solid currentColor',
    borderBottom: 0,
  },
  '& li[data-kind=failedRun]::before': { borderTopColor: theme.vars.palette.error.main },
  '& li:is([data-kind=alarm], [data-kind=outage])::before': {
    width: 12,
    height: 12,
    borderTop: '3px solid var(--band)',
    background: 'color-mix(in srgb, var(--band) 14%, transparent)',
  },
  '& li[data-kind=alarm]': { '--band': theme.vars.palette.warning.main },
  '& li[data-kind=outage]': { '--band': theme.vars.palette.error.main },
}))

interface PeriodToolbarProps {
  choice: PeriodChoice
  timeline: Timeline
  /** All that could be shown. */
  whole: TimeRange
  /** More tools. */
  children?: ReactNode
}

/** Chooses how far back charts go and, without a mouse to drag, which part of that they show. */
function PeriodToolbar({ choice, timeline, whole, children }: PeriodToolbarProps) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const { period, zoom, choosePeriod, zoomTo } = choice
  const { span, cursor } = timeline
  const width = span.to - span.from
  const isWhole = span.from <= whole.from && span.to >= whole.to
  const show = (from: number, to: number) => {
    if (to - from >= whole.to - whole.from) return zoomTo(undefined)
    // At an edge the part keeps its length.
    const shift = Math.max(0, whole.from - from) - Math.max(0, to - whole.to)
    zoomTo({ from: from + shift, to: to + shift })
  }
  const scale = (factor: number) => {
    const middle = cursor.at() ?? (span.from + span.to) / 2
    show(middle - (width * factor) / 2, middle + (width * factor) / 2)
  }
  const button = (key: string, Icon: ComponentType<{ fontSize: 'small' }>, isOff: boolean, onClick: () => void) => (
    <IconButton
      size="small"
      disabled={isOff}
      aria-label={translate(`app.charts.zoom.${key}`)}
      title={translate(`app.charts.zoom.${key}`)}
      onClick={onClick}
    >
      <Icon fontSize="small" />
    </IconButton>
  )
  return (
    <Bar role="toolbar" aria-label={translate('app.charts.period')}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={period}
        aria-label={translate('app.charts.period')}
        onChange={(_, chosen: ChartPeriod | null) => chosen && choosePeriod(chosen)}
      >
        {useChartPeriods().map((one) => (
          <ToggleButton key={one} value={one}>
            {translate(`app.charts.periods.${one}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <span>
        {button('earlier', ChevronLeft, span.from <= whole.from, () =>
          show(span.from - width / 2, span.to - width / 2),
        )}
        {button('in', ZoomIn, width / 2 < minZoom, () => scale(0.5))}
        {button('out', ZoomOut, isWhole, () => scale(2))}
        {button('later', ChevronRight, span.to >= whole.to, () => show(span.from + width / 2, span.to + width / 2))}
      </span>
      {zoom ? (
        <>
          <time role="status">
            {formatChartTime(span.from, locale)} – {formatChartTime(span.to, locale)}
          </time>
          <Button size="small" onClick={() => zoomTo(undefined)}>
            {translate('app.charts.zoom.whole')}
          </Button>
        </>
      ) : null}
      {children}
    </Bar>
  )
}

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 1.5),
  // In languages with long words the periods take two lines on a phone.
  '& > [role=group]': { flexWrap: 'wrap' },
  '& > time': { fontSize: 13, fontVariantNumeric: 'tabular-nums', color: theme.vars.palette.text.secondary },
}))

/** The period of a page of charts and the part of it that is shown larger, as its address has them. */
export interface PeriodChoice {
  period: ChartPeriod
  zoom: TimeRange | undefined
  /** Shows the whole of another period. */
  choosePeriod: (period: ChartPeriod) => void
  /** Shows a part, or the whole period again. */
  zoomTo: (range: TimeRange | undefined) => void
}

/** Milliseconds. A shorter part has hardly a value: one is measured each minute. */
const minZoom = 5 * 60_000

/** Reads `?period=7d&from=1700000000&to=1700003600`, seconds since 1970; what makes no sense counts as not given. */
export function usePeriod(): PeriodChoice {
  const [params] = useSearchParams()
  const set = useSearchChange()
  const periods = useChartPeriods()
  const period = periods.find((one) => one === params.get('period')) ?? '1d'
  const [from, to] = [secondsIn(params.get('from')), secondsIn(params.get('to'))]
  const zoom = useMemo(() => rangeOf(from, to), [from, to])
  const choosePeriod = useCallback(
    (chosen: ChartPeriod) => set({ period: chosen, from: undefined, to: undefined }),
    [set],
  )
  const zoomTo = useCallback(
    (range: TimeRange | undefined) => {
      const [start, end] = range ? [seconds(range.from), seconds(range.to)] : []
      set({ period, from: start, to: end })
    },
    [set, period],
  )
  return { period, zoom, choosePeriod, zoomTo }
}

const secondsIn = (text: string | null) => (text !== null && /^\d{1,11}$/.test(text) ? Number(text) : undefined)
const seconds = (at: number) => String(Math.round(at / 1000))

const rangeOf = (from: number | undefined, to: number | undefined): TimeRange | undefined =>
  from !== undefined && to !== undefined && (to - from) * 1000 >= minZoom
    ? { from: from * 1000, to: to * 1000 }
    : undefined
