import ChevronLeft from '@mui/icons-material/ChevronLeft'
import ChevronRight from '@mui/icons-material/ChevronRight'
import ZoomIn from '@mui/icons-material/ZoomIn'
import ZoomOut from '@mui/icons-material/ZoomOut'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import type { ComponentType, ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { formatChartTime } from '../format/formatTime.ts'
import { useLanguage } from '../format/useLanguage.ts'
import type { TimeRange } from './plot/chartSeries.ts'
import type { Timeline } from './plot/timeline.ts'
import { type ChartPeriod, useChartPeriods } from './useHistory.ts'
import { minZoom, type PeriodChoice } from './usePeriod.ts'

interface PeriodToolbarProps {
  choice: PeriodChoice
  timeline: Timeline
  /** All that could be shown. */
  whole: TimeRange
  /** More tools. */
  children?: ReactNode
}

/** Chooses how far back charts go and, without a mouse to drag, which part of that they show. */
export function PeriodToolbar({ choice, timeline, whole, children }: PeriodToolbarProps) {
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
