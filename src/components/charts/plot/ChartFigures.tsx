import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { formatPercentFloor } from '../../format/format.ts'
import { useLanguage } from '../../format/useLanguage.ts'
import { type ChartSeries, summarize } from './chartSeries.ts'

interface ChartFiguresProps {
  series: ChartSeries
  /** Its name, where the heading of the chart does not say it. */
  name?: string
  format: (value: number) => string
  /** The value at the crosshair. Without it the last value is shown. */
  valueThere?: string
}

/** The statistics of the only line of a chart, in one line of text. */
export function ChartFigures({ series, name, format, valueThere }: ChartFiguresProps) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const summary = summarize(series.points)
  const value = (number: number | undefined) => (number === undefined ? '–' : format(number))
  const last = series.points.at(-1)?.failed ? translate('app.charts.failed') : value(summary?.last)
  const figures: readonly (readonly [key: string, text: string])[] = [
    ...(series.upPercent === undefined ? [] : [['up', formatPercentFloor(series.upPercent, locale)] as const]),
    valueThere === undefined ? ['last', last] : ['there', valueThere],
    ['min', value(summary?.min)],
    ['average', value(summary?.average)],
    ['max', value(summary?.max)],
  ]
  return (
    <Line>
      {name === undefined ? null : <strong>{name}</strong>}
      <dl>
        {figures.map(([key, text]) => (
          <div key={key}>
            <dt>{translate(`app.charts.${key}`)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Line>
  )
}

const Line = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(0.25, 2),
  marginTop: theme.spacing(1),
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  '& strong': { overflowWrap: 'anywhere' },
  '& dl': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.25, 2), margin: 0 },
  '& dl > div': { display: 'flex', gap: theme.spacing(0.75) },
  '& dt': { color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0 },
  [theme.breakpoints.down('sm')]: { fontSize: 12, '& dl': { columnGap: theme.spacing(1.5) } },
}))
