import { styled } from '@mui/material/styles'
import { type Figures, figuresNow, type ServerRow, useFigure, useServerRow } from './figures.ts'
import { formatPercent } from './format.ts'
import { hoverTitle } from './hoverTitle.ts'
import type { Words } from './useWords.ts'
import { useWords } from './useWords.ts'

export interface MeterProps {
  /** 0 to 100; `undefined` while nothing is measured. */
  percentOf: (figures: Figures) => number | undefined
  /** The tooltip. */
  detailOf: (figures: Figures, words: Words) => string
}

const warning = 75
const danger = 90

/** A thin bar with its figure: neutral, warning from 75 %, danger from 90 %. */
export function Meter({ percentOf, detailOf }: MeterProps) {
  const record = useServerRow()
  const words = useWords()
  if (!record) return null
  return (
    <Frame {...hoverTitle(() => detailOf(figuresNow(record), words))}>
      <Level record={record} percentOf={percentOf} locale={words.locale} />
    </Frame>
  )
}

interface LevelProps {
  record: ServerRow
  percentOf: MeterProps['percentOf']
  locale: string
}

/** The part that renders with every change: plain elements, so that a tick over a hundred rows stays cheap. */
function Level({ record, percentOf, locale }: LevelProps) {
  const percent = useFigure(record, (figures) => rounded(percentOf(figures)))
  if (percent === undefined) return <span className="none">–</span>
  const level = percent >= danger ? 'danger' : percent >= warning ? 'warning' : 'normal'
  return (
    <>
      <span className="track" data-level={level}>
        <span style={{ transform: `scaleX(${percent / 100})` }} />
      </span>
      <span className="figure">{formatPercent(percent, locale)}</span>
    </>
  )
}

const rounded = (percent: number | undefined) =>
  percent === undefined ? undefined : Math.round(Math.min(100, Math.max(0, percent)))

const Frame = styled('span')(({ theme }) => {
  const { palette } = theme.vars
  return {
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    minWidth: 88,
    fontVariantNumeric: 'tabular-nums',
    '& .track': {
      flex: '1 1 40px',
      maxWidth: 96,
      height: 6,
      borderRadius: 3,
      overflow: 'hidden',
      background: palette.track,
    },
    '& .track > span': {
      display: 'block',
      height: '100%',
      transformOrigin: 'left',
      background: palette.text.secondary,
    },
    '& .track[data-level=warning] > span': { background: palette.warning.main },
    '& .track[data-level=danger] > span': { background: palette.error.main },
    '& .figure': { minWidth: '2.9em', textAlign: 'end' },
    '& .none': { color: palette.text.secondary },
  }
})
