import { formatBytes, formatPercent } from '../../../components/format/format.ts'
import type { Language } from '../../../components/format/useLanguage.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { hoverTitle } from '../../../components/hoverTitle.ts'
import {
  currentMetrics,
  type ServerMetrics,
  type ServerRow,
  useServerMetric,
  useServerRow,
} from '../../../components/serverMetrics.ts'
import '../../../components/theme/cells.css'

export interface MeterProps {
  /** 0 to 100; `undefined` while nothing is measured. */
  percentOf: (metrics: ServerMetrics) => number | undefined
  /** The tooltip. */
  detailOf: (metrics: ServerMetrics, language: Language) => string
}

const warningFrom = 75
const dangerFrom = 90

/** A thin bar with its percentage: neutral, yellow from 75 %, red from 90 %. */
export function Meter({ percentOf, detailOf }: MeterProps) {
  const record = useServerRow()
  const language = useLanguage()
  if (!record) return null
  return (
    <span className="cell-meter" {...hoverTitle(() => detailOf(currentMetrics(record), language))}>
      <Bar record={record} percentOf={percentOf} locale={language.locale} />
    </span>
  )
}

interface BarProps {
  record: ServerRow
  percentOf: MeterProps['percentOf']
  locale: string
}

/** Renders with every change: plain elements keep an update of a hundred rows cheap. */
function Bar({ record, percentOf, locale }: BarProps) {
  const percent = useServerMetric(record, (metrics) => rounded(percentOf(metrics)))
  if (percent === undefined) return <span className="none">–</span>
  const level = percent >= dangerFrom ? 'danger' : percent >= warningFrom ? 'warning' : 'normal'
  return (
    <>
      <span className="track" data-level={level}>
        <span style={{ width: `${percent}%` }} />
      </span>
      <span className="percent">{formatPercent(percent, locale)}</span>
    </>
  )
}

const rounded = (percent: number | undefined) =>
  percent === undefined ? undefined : Math.round(Math.min(100, Math.max(0, percent)))

/** '1.2 GiB / 4 GiB' */
export const formatUsage = (used = 0, total = 0, locale: string) =>
  `${formatBytes(used, locale)} / ${formatBytes(total, locale)}`
