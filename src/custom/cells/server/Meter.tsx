import { hoverTitle } from '../../components/hoverTitle.ts'
import { formatPercent } from '../../format/format.ts'
import type { Language } from '../../format/useLanguage.ts'
import { useLanguage } from '../../format/useLanguage.ts'
import {
  currentMetrics,
  type ServerMetrics,
  type ServerRow,
  useServerMetric,
  useServerRow,
} from '../../hooks/serverMetrics.ts'
import '../cells.css'

export interface MeterProps {
  /** 0 to 100; `undefined` while nothing is measured. */
  percentOf: (figures: ServerMetrics) => number | undefined
  /** The tooltip. */
  detailOf: (figures: ServerMetrics, words: Language) => string
}

const warning = 75
const danger = 90

/** A thin bar with its figure: neutral, warning from 75 %, danger from 90 %. */
export function Meter({ percentOf, detailOf }: MeterProps) {
  const record = useServerRow()
  const words = useLanguage()
  if (!record) return null
  return (
    <span className="cell-meter" {...hoverTitle(() => detailOf(currentMetrics(record), words))}>
      <Level record={record} percentOf={percentOf} locale={words.locale} />
    </span>
  )
}

interface LevelProps {
  record: ServerRow
  percentOf: MeterProps['percentOf']
  locale: string
}

/** The part that renders with every change: plain elements, so that a tick over a hundred rows stays cheap. */
function Level({ record, percentOf, locale }: LevelProps) {
  const percent = useServerMetric(record, (figures) => rounded(percentOf(figures)))
  if (percent === undefined) return <span className="none">–</span>
  const level = percent >= danger ? 'danger' : percent >= warning ? 'warning' : 'normal'
  return (
    <>
      <span className="track" data-level={level}>
        <span style={{ width: `${percent}%` }} />
      </span>
      <span className="figure">{formatPercent(percent, locale)}</span>
    </>
  )
}

const rounded = (percent: number | undefined) =>
  percent === undefined ? undefined : Math.round(Math.min(100, Math.max(0, percent)))
