import { styled, useColorScheme } from '@mui/material/styles'
import { useId, useMemo, useState } from 'react'
import { formatChartTime, formatTimeTicks } from '../../format/formatChartTime.ts'
import { formatMetric, type MetricUnit } from '../../format/formatMetric.ts'
import { useLanguage } from '../../format/useLanguage.ts'
import { axisRange, axisSteps } from './axis.ts'
import { ChartLegend } from './ChartLegend.tsx'
import { align, type ChartSeries, failuresOf, nearestPoint, seriesWithin } from './chartSeries.ts'
import { lineStyle } from './lineStyle.ts'
import { PlotArea } from './PlotArea.tsx'
import type { PlotData } from './plot.ts'
import { summarize } from './summarize.ts'
import { useCursorTime, useTimeline } from './timeline.ts'

interface TimeChartProps {
  /** What is measured. */
  title: string
  unit: MetricUnit
  series: readonly ChartSeries[]
  /** The highest possible value, where it is known. */
  most?: number
  /** The data on screen is being replaced. */
  isStale?: boolean
}

/** More lines cannot be told apart; the others are drawn when somebody switches them on. */
const maxInitialLines = 8

/**
 * Lines over time, with a legend that shows the values at the crosshair. Mouse, finger and arrow keys move it, in all
 * charts of the timeline at once; metrics are those of the time that is shown.
 */
export function TimeChart({ title, unit, series: given, most, isStale = false }: TimeChartProps) {
  const { span, cursor, marks, onZoom } = useTimeline()
  const { locale, translate } = useLanguage()
  const language = useMemo(() => ({ locale, translate }), [locale, translate])
  const titleId = useId()
  const { colorScheme: scheme = 'light' } = useColorScheme()
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const at = useCursorTime(cursor)
  const ordered = useStableOrder(given)
  const series = useMemo(() => seriesWithin(ordered, span), [ordered, span])
  const shown = useMemo(
    () => chosen ?? new Set(series.slice(0, maxInitialLines).map(({ key }) => key)),
    [chosen, series],
  )
  const drawn = useMemo(() => series.filter(({ key }) => shown.has(key)), [series, shown])
  const plotData = useMemo((): PlotData => {
    const highest = Math.max(0, ...drawn.map(({ points }) => summarize(points)?.max ?? 0))
    return {
      // All points: a line that leaves the shown time is drawn up to the edge.
      ...align(ordered.filter(({ key }) => shown.has(key))),
      span,
      scale: axisRange(highest, unit, most),
      lineStyles: drawn.map((one) => lineStyle(series.indexOf(one), scheme)),
      failures: drawn.flatMap(({ points }) => failuresOf(points, span.to)),
      marks,
      scheme,
      steps: axisSteps(unit),
      formatTimes: (ticks, distance) => formatTimeTicks(ticks, distance, locale),
      formatValue: (value) => formatMetric(value, unit, language),
    }
  }, [ordered, series, drawn, shown, span, marks, unit, most, scheme, language, locale])

  const valueAt = ({ points }: ChartSeries, moment: number): string => {
    const point = nearestPoint(points, moment)
    if (point?.failed) return translate('app.charts.failed')
    return point?.value === undefined || point.value === null ? '–' : formatMetric(point.value, unit, language)
  }
  /** The chart for screen readers: one sentence per line. */
  const sentences = drawn.map((one) => {
    const summary = summarize(one.points)
    const value = (number: number) => formatMetric(number, unit, language)
    if (!summary) return translate('app.charts.summary_none', { name: one.name })
    const { min, average, max, last } = summary
    const values = { min: value(min), average: value(average), max: value(max), last: value(last) }
    return translate('app.charts.summary', { name: one.name, ...values })
  })
  const moments = useMemo(
    () => [...new Set(drawn.flatMap(({ points }) => points.map((point) => point.at)))].sort((a, b) => a - b),
    [drawn],
  )
  const toggle = (key: string) => {
    const next = new Set(shown)
    if (!next.delete(key)) next.add(key)
    setChosen(next)
  }

  return (
    <Frame aria-labelledby={titleId} aria-busy={isStale} data-stale={isStale}>
      <header>
        <h3 id={titleId}>{title}</h3>
        <span>{at === undefined ? '' : formatChartTime(at, locale)}</span>
      </header>
      <p className="visually-hidden">{sentences.join(' ')}</p>
      <PlotArea
        plotData={plotData}
        moments={moments}
        at={at}
        onPoint={cursor.point}
        onZoom={onZoom}
        describe={(moment) =>
          [
            formatChartTime(moment, locale),
            ...drawn.map((one) => `${one.name} ${valueAt(one, moment)}`),
            ...marks.filter(({ from, to }) => from <= moment && moment <= to).map(({ text }) => text),
          ].join(', ')
        }
      />
      <ChartLegend
        series={series}
        shown={shown}
        onToggle={toggle}
        scheme={scheme}
        format={(value) => formatMetric(value, unit, language)}
        valueAt={at === undefined ? undefined : (one) => valueAt(one, at)}
      />
    </Frame>
  )
}

/**
 * Keeps the first order of the lines, and with it their colours: refreshed data may come in another order, and lines must
 * not change their colours every 30 s.
 */
function useStableOrder(series: readonly ChartSeries[]): readonly ChartSeries[] {
  const [positions] = useState(() => new Map<string, number>())
  return useMemo(() => {
    for (const { key } of series) if (!positions.has(key)) positions.set(key, positions.size)
    return [...series].sort((one, other) => (positions.get(one.key) ?? 0) - (positions.get(other.key) ?? 0))
  }, [series, positions])
}

const Frame = styled('section')(({ theme }) => ({
  transition: 'opacity 150ms',
  '&[data-stale=true]': { opacity: 0.5 },
  '& > header': {
    display: 'flex',
    justifyContent: 'space-between',
    gap: theme.spacing(1),
    minHeight: 24,
    fontVariantNumeric: 'tabular-nums',
  },
  '& > header > h3': { ...theme.typography.h3, margin: 0 },
  '& > header > span': { fontSize: 13, color: theme.vars.palette.text.secondary, whiteSpace: 'nowrap' },
}))
