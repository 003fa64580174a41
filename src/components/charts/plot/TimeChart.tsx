import { styled } from '@mui/material/styles'
import { type ReactNode, useId, useMemo, useState, useSyncExternalStore } from 'react'
import {
  formatChartTime,
  formatMetric,
  formatNumber,
  formatTimeTicks,
  type Language,
  type MetricUnit,
} from '../../format/format.ts'
import { useLanguage } from '../../format/useLanguage.ts'
import type { Scheme } from '../../theme/tokens.ts'
import { axisLabels, axisRange, axisSteps } from './axis.ts'
import { ChartFigures } from './ChartFigures.tsx'
import { ChartLegend } from './ChartLegend.tsx'
import {
  align,
  boundsAbout,
  type ChartBound,
  type ChartSeries,
  failuresOf,
  isOnAxis,
  marksAbout,
  marksAt,
  nearestPoint,
  type Summary,
  seriesWithin,
  summarize,
  type TimeMark,
} from './chartSeries.ts'
import { lineStyle } from './lineStyle.ts'
import { PlotArea } from './PlotArea.tsx'
import type { PlotData } from './plot.ts'
import { useCursorTime, useTimeline } from './timeline.ts'

interface TimeChartProps {
  /** What is measured. */
  title: string
  unit: MetricUnit
  series: readonly ChartSeries[]
  /** The highest possible value, where it is known. */
  most?: number
  /** Where somebody is told: lines across the chart, as far as they concern one of its series. */
  bounds?: readonly ChartBound[]
  /** Marks of this chart alone, beside those of the timeline. */
  ownMarks?: readonly TimeMark[]
  /** The data on screen is being replaced. */
  isStale?: boolean
  /** Whether it is the only chart on screen, whose heading stands elsewhere. */
  isLarge?: boolean
  /** At the end of its heading. */
  action?: ReactNode
}

/** More lines cannot be told apart; the others are drawn when somebody switches them on. */
const maxInitialLines = 8

const noBounds: readonly ChartBound[] = []
const noMarks: readonly TimeMark[] = []

/**
 * Lines over time, with a legend that shows the values at the crosshair. Mouse, finger and arrow keys move it, in all
 * charts of the timeline at once; metrics are those of the time that is shown.
 */
export function TimeChart(props: TimeChartProps) {
  const {
    title,
    unit,
    series: given,
    most,
    bounds: allBounds = noBounds,
    ownMarks = noMarks,
    isStale = false,
    isLarge = false,
    action,
  } = props
  const { span, cursor, marks: commonMarks, onZoom } = useTimeline()
  const { locale, translate } = useLanguage()
  const language = useMemo(() => ({ locale, translate }), [locale, translate])
  const titleId = useId()
  const scheme = useScheme()
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const at = useCursorTime(cursor)
  const ordered = useStableOrder(given)
  const series = useMemo(() => seriesWithin(ordered, span), [ordered, span])
  const shown = useMemo(
    () => chosen ?? new Set(series.slice(0, maxInitialLines).map(({ key }) => key)),
    [chosen, series],
  )
  const drawn = useMemo(() => series.filter(({ key }) => shown.has(key)), [series, shown])
  const bounds = useMemo(() => boundsAbout(allBounds, shown), [allBounds, shown])
  const marks = useMemo(
    () => marksAbout([...commonMarks, ...ownMarks], new Set(given.map(({ key }) => key))),
    [commonMarks, ownMarks, given],
  )
  const plotData = useMemo((): PlotData => {
    const scale = axisRange(unit, { values: extremesOf(drawn), most, bounds })
    return {
      // All points: a line that leaves the shown time is drawn up to the edge.
      ...align(ordered.filter(({ key }) => shown.has(key))),
      span,
      scale,
      lineStyles: drawn.map((one) => lineStyle(series.indexOf(one), scheme)),
      failures: drawn.flatMap(({ points }) => failuresOf(points, span.to)),
      marks,
      bounds: bounds.filter((bound) => isOnAxis(bound, scale)).map(({ value }) => value),
      scheme,
      steps: axisSteps(unit),
      formatTimes: (ticks, distance) => formatTimeTicks(ticks, distance, locale),
      formatValues: (ticks) => axisLabels(ticks, unit, language),
    }
  }, [ordered, series, drawn, shown, span, marks, bounds, unit, most, scheme, language, locale])

  const format = (value: number) => formatMetric(value, unit, language)
  const valueAt = ({ points }: ChartSeries, moment: number): string => {
    const point = nearestPoint(points, moment)
    if (point?.failed) return translate('app.charts.failed')
    return point?.value === undefined || point.value === null ? '–' : format(point.value)
  }
  const boundTexts = bounds.map((one) => {
    const limit = translate(`app.charts.bound.${one.side}`, { value: formatBound(one.value, unit, language) })
    const bound = one.of ? translate('app.charts.bound.of', { bound: limit, names: one.of }) : limit
    return isOnAxis(one, plotData.scale) ? bound : translate('app.charts.bound.beyond', { bound })
  })
  /** The chart for screen readers: one sentence per line. */
  const sentences = drawn.map((one) => {
    const summary = summarize(one.points)
    if (!summary) return translate('app.charts.summary_none', { name: one.name })
    const { min, average, max, last } = summary
    const values = { min: format(min), average: format(average), max: format(max), last: format(last) }
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
  const [only] = series.length === 1 ? series : []

  return (
    <Frame aria-labelledby={titleId} aria-busy={isStale} data-stale={isStale}>
      <header>
        <h3 id={titleId} className={isLarge ? 'visually-hidden' : undefined}>
          {title}
        </h3>
        <span>{at === undefined ? '' : formatChartTime(at, locale)}</span>
        {action}
      </header>
      <p className="visually-hidden">{sentences.join(' ')}</p>
      <PlotArea
        plotData={plotData}
        moments={moments}
        at={at}
        isLarge={isLarge}
        onPoint={cursor.point}
        onZoom={onZoom}
        describe={(moment) =>
          [
            formatChartTime(moment, locale),
            ...drawn.map((one) => `${one.name} ${valueAt(one, moment)}`),
            ...marksAt(marks, moment).map(({ text }) => text),
          ].join(', ')
        }
      />
      {boundTexts.length > 0 ? (
        <Bounds>
          {boundTexts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </Bounds>
      ) : null}
      {only ? (
        <ChartFigures
          series={only}
          name={only.name === title ? undefined : only.name}
          format={format}
          valueThere={at === undefined ? undefined : valueAt(only, at)}
        />
      ) : (
        <ChartLegend
          series={series}
          shown={shown}
          onToggle={toggle}
          scheme={scheme}
          format={format}
          valueAt={at === undefined ? undefined : (one) => valueAt(one, at)}
        />
      )}
    </Frame>
  )
}

/** People write bounds of a load without zeros behind the point. */
const formatBound = (value: number, unit: MetricUnit, language: Language) =>
  unit === 'load' ? formatNumber(value, language.locale) : formatMetric(value, unit, language)

/** The lowest and the highest value of some lines. */
function extremesOf(series: readonly ChartSeries[]): Pick<Summary, 'min' | 'max'> | undefined {
  const summaries = series.flatMap(({ points }) => summarize(points) ?? [])
  if (summaries.length === 0) return undefined
  return { min: Math.min(...summaries.map(({ min }) => min)), max: Math.max(...summaries.map(({ max }) => max)) }
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
    alignItems: 'center',
    gap: theme.spacing(1),
    minHeight: 24,
    fontVariantNumeric: 'tabular-nums',
  },
  '& > header > h3': { ...theme.typography.h3, margin: 0 },
  '& > header > span': {
    marginInlineStart: 'auto',
    fontSize: 13,
    color: theme.vars.palette.text.secondary,
    whiteSpace: 'nowrap',
  },
}))

/** Says what the lines across the chart are. */
const Bounds = styled('ul')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(0.25, 2),
  margin: theme.spacing(0.75, 0, 0),
  padding: 0,
  listStyle: 'none',
  fontSize: 12,
  color: theme.vars.palette.text.secondary,
  overflowWrap: 'anywhere',
  '& li': { display: 'flex', alignItems: 'center', gap: theme.spacing(0.75), minWidth: 0 },
  '& li::before': {
    content: '""',
    flex: 'none',
    width: 18,
    borderTop: `2px dashed ${theme.vars.palette.error.main}`,
  },
}))

/** The colours in which the page is drawn now: those that were chosen, and the light ones while it is printed. */
const useScheme = (): Scheme => useSyncExternalStore(subscribeScheme, readScheme)

const readScheme = (): Scheme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')

function subscribeScheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
