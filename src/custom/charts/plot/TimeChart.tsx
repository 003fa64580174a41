import { styled, useColorScheme } from '@mui/material/styles'
import { useId, useMemo, useState } from 'react'
import { formatChartTime, formatTimeTicks } from '../../format/formatChartTime.ts'
import { axisRange, axisSteps, formatMetric, type MetricUnit } from '../../format/formatMetric.ts'
import { useLanguage } from '../../format/useLanguage.ts'
import { ChartLegend } from './ChartLegend.tsx'
import { align, type ChartSeries, failuresOf, nearestPoint, type TimeRange } from './chartSeries.ts'
import { lineStyle } from './lineStyle.ts'
import { PlotArea } from './PlotArea.tsx'
import type { PlotData } from './plot.ts'
import { summarize } from './summarize.ts'

interface TimeChartProps {
  /** What is measured. */
  title: string
  unit: MetricUnit
  series: readonly ChartSeries[]
  span: TimeRange
  /** What a figure can be at most, where that is known. */
  most?: number
  /** What is shown is being replaced. */
  isStale?: boolean
}

/** More lines than these cannot be told apart; the others are drawn when somebody asks for them. */
const maxInitialLines = 8

/** Lines over time with their figures below: at the crosshair, which a mouse, a finger and the arrow keys move. */
export function TimeChart({ title, unit, series: given, span, most, isStale = false }: TimeChartProps) {
  const { locale, translate } = useLanguage()
  const words = useMemo(() => ({ locale, translate }), [locale, translate])
  const titleId = useId()
  const { colorScheme: scheme = 'light' } = useColorScheme()
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const [at, setAt] = useState<number>()
  const series = useStableOrder(given)
  const shown = useMemo(
    () => chosen ?? new Set(series.slice(0, maxInitialLines).map(({ key }) => key)),
    [chosen, series],
  )
  const drawn = useMemo(() => series.filter(({ key }) => shown.has(key)), [series, shown])
  const plotData = useMemo((): PlotData => {
    const highest = Math.max(0, ...drawn.map(({ points }) => summarize(points)?.max ?? 0))
    return {
      ...align(drawn),
      span,
      scale: axisRange(highest, unit, most),
      lineStyles: drawn.map((one) => lineStyle(series.indexOf(one), scheme)),
      failures: drawn.flatMap(({ points }) => failuresOf(points, span.to)),
      scheme,
      steps: axisSteps(unit),
      formatTimes: (ticks, distance) => formatTimeTicks(ticks, distance, locale),
      formatValue: (value) => formatMetric(value, unit, words),
    }
  }, [series, drawn, span, unit, most, scheme, words, locale])

  const valueAt = ({ points }: ChartSeries, moment: number): string => {
    const point = nearestPoint(points, moment)
    if (point?.failed) return translate('app.charts.failed')
    return point?.value === undefined || point.value === null ? '–' : formatMetric(point.value, unit, words)
  }
  /** The whole chart in a sentence for each line. */
  const sentences = drawn.map((one) => {
    const summary = summarize(one.points)
    const value = (figure: number) => formatMetric(figure, unit, words)
    if (!summary) return translate('app.charts.summary_none', { name: one.name })
    const { min, average, max, last } = summary
    const figures = { min: value(min), average: value(average), max: value(max), last: value(last) }
    return translate('app.charts.summary', { name: one.name, ...figures })
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
        onPoint={setAt}
        describe={(moment) =>
          [formatChartTime(moment, locale), ...drawn.map((one) => `${one.name} ${valueAt(one, moment)}`)].join(', ')
        }
      />
      <ChartLegend
        series={series}
        shown={shown}
        onToggle={toggle}
        scheme={scheme}
        format={(value) => formatMetric(value, unit, words)}
        valueAt={at === undefined ? undefined : (one) => valueAt(one, at)}
      />
    </Frame>
  )
}

/**
 * Lines keep the place that they had when they came first, and with it their colour: new figures may be in another
 * order, and nobody wants to look for a line again every 30 s.
 */
function useStableOrder(series: readonly ChartSeries[]): readonly ChartSeries[] {
  const [places] = useState(() => new Map<string, number>())
  return useMemo(() => {
    for (const { key } of series) if (!places.has(key)) places.set(key, places.size)
    return [...series].sort((one, other) => (places.get(one.key) ?? 0) - (places.get(other.key) ?? 0))
  }, [series, places])
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
