import { styled } from '@mui/material/styles'
import { type ReactNode, useMemo } from 'react'
import { useTranslate } from 'react-admin'
import { PeriodToolbar } from './PeriodToolbar.tsx'
import { type ChartSeries, type TimeRange, timeRange } from './plot/chartSeries.ts'
import { type Timeline, TimelineContext, useNewCursor } from './plot/timeline.ts'
import { markKinds, type TimeMark } from './plot/timeMarks.ts'
import { chartPeriodTimes } from './useHistory.ts'
import { minZoom, type PeriodChoice } from './usePeriod.ts'

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
