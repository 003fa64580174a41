import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { formatPercentFloor } from '../../format/format.ts'
import { useLanguage } from '../../format/useLanguage.ts'
import type { Scheme } from '../../theme/tokens.ts'
import { type ChartSeries, summarize } from './chartSeries.ts'
import { lineStyle } from './lineStyle.ts'

interface ChartLegendProps {
  series: readonly ChartSeries[]
  shown: ReadonlySet<string>
  onToggle: (key: string) => void
  scheme: Scheme
  format: (value: number) => string
  /** The value of a line at the crosshair. Without it the last value is shown. */
  valueAt?: (series: ChartSeries) => string
}

/** With this many lines or more, a search field appears. */
const searchFrom = 12
/** More rows are not drawn; the search finds them. */
const maxRows = 50

/** The lines with their statistics. A click on a name hides or shows its line. */
export function ChartLegend({ series, shown, onToggle, scheme, format, valueAt }: ChartLegendProps) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const hasShares = series.some(({ upPercent }) => upPercent !== undefined)
  const [search, setSearch] = useState('')
  const found = series
    .map((one, position) => ({ one, position }))
    .filter(({ one }) => one.name.toLowerCase().includes(search.trim().toLowerCase()))
  const hiddenCount = Math.max(0, found.length - maxRows)
  return (
    <Scroller>
      {series.length >= searchFrom ? (
        <TextField
          size="small"
          sx={{ marginBottom: 0.5 }}
          type="search"
          label={translate('app.list.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      ) : null}
      <table>
        <thead>
          <tr>
            <th scope="col">{translate('app.charts.name')}</th>
            {hasShares ? <th scope="col">{translate('app.charts.up')}</th> : null}
            <th scope="col">{translate(valueAt ? 'app.charts.there' : 'app.charts.last')}</th>
            <th scope="col" data-least>
              {translate('app.charts.min')}
            </th>
            <th scope="col">{translate('app.charts.average')}</th>
            <th scope="col">{translate('app.charts.max')}</th>
          </tr>
        </thead>
        <tbody>
          {found.slice(0, maxRows).map(({ one, position }) => {
            const summary = summarize(one.points)
            const { colour, dash } = lineStyle(position, scheme)
            const isShown = shown.has(one.key)
            const value = (number: number | undefined) => (number === undefined ? '–' : format(number))
            return (
              <tr key={one.key}>
                <th scope="row">
                  <button type="button" aria-pressed={isShown} title={one.name} onClick={() => onToggle(one.key)}>
                    <svg aria-hidden="true" width="18" height="8" viewBox="0 0 18 8" opacity={isShown ? 1 : 0.25}>
                      <path d="M0 4h18" stroke={colour} strokeWidth="3" strokeDasharray={dash.join(' ')} />
                    </svg>
                    <span>{one.name}</span>
                  </button>
                </th>
                {hasShares ? (
                  <td>{one.upPercent === undefined ? '–' : formatPercentFloor(one.upPercent, locale)}</td>
                ) : null}
                <td>
                  {valueAt
                    ? valueAt(one)
                    : one.points.at(-1)?.failed
                      ? translate('app.charts.failed')
                      : value(summary?.last)}
                </td>
                <td data-least>{value(summary?.min)}</td>
                <td>{value(summary?.average)}</td>
                <td>{value(summary?.max)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {hiddenCount > 0 ? <p>{translate('app.list.more', { count: hiddenCount })}</p> : null}
      {found.length === 0 ? <p role="status">{translate('app.list.no_results')}</p> : null}
    </Scroller>
  )
}

const Scroller = styled('div')(({ theme }) => ({
  overflow: 'auto',
  maxHeight: 260,
  marginTop: theme.spacing(1),
  '& table': { width: '100%', borderCollapse: 'collapse', fontSize: 13, fontVariantNumeric: 'tabular-nums' },
  '& th, & td': { padding: theme.spacing(0.25, 0, 0.25, 1.5), textAlign: 'right', whiteSpace: 'nowrap' },
  '& thead th': {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    fontWeight: 600,
    color: theme.vars.palette.text.secondary,
    background: theme.vars.palette.background.paper,
  },
  '& p': { margin: theme.spacing(1, 0), color: theme.vars.palette.text.secondary },
  '& th:first-of-type': { textAlign: 'left', padding: 0, width: '40%' },
  '& tbody th': { fontWeight: 400, minWidth: 104, maxWidth: 0 },
  // A phone has no room for all columns; the minimum matters least.
  [theme.breakpoints.down('sm')]: {
    '& :is(th, td)[data-least]': { display: 'none' },
    '& th, & td': { paddingLeft: theme.spacing(0.75) },
    '& table': { fontSize: 12 },
    '& tbody button': { minHeight: 44 },
  },
  '& tbody tr': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& button': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    width: '100%',
    minHeight: 32,
    padding: 0,
    border: 0,
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    textAlign: 'left',
    cursor: 'pointer',
  },
  '& button[aria-pressed=false]': { color: theme.vars.palette.text.secondary, textDecoration: 'line-through' },
  '& button svg': { flex: 'none' },
  '& button span': { overflow: 'hidden', textOverflow: 'ellipsis' },
}))
