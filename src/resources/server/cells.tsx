import '../../components/theme/cells.css'
import {
  formatBytes,
  formatDateTime,
  formatDuration,
  formatNumber,
  formatPercent,
  formatSpeeds,
} from '../../components/format/format.ts'
import { type Language, useLanguage } from '../../components/format/useLanguage.ts'
import { hoverTitle } from '../../components/hoverTitle.ts'
import {
  cpuPercent,
  currentMetrics,
  diskPercent,
  memoryPercent,
  networkSpeeds,
  type ServerMetrics,
  type ServerRow,
  useServerMetric,
  useServerRow,
} from '../../components/serverMetrics.ts'
import { useServerClock } from '../../live/serverClock.ts'
import { LazySilence } from '../mute/LazySilence.tsx'

/** Online or offline, as a dot and a word; offline with its duration, where that is known. */
export function ServerStatus() {
  const record = useServerRow()
  const language = useLanguage()
  if (!record) return null
  return (
    <span className="cell-online" {...hoverTitle(() => tooltip(record, language))}>
      <OnlineText record={record} />
      <LazySilence kind="server" />
    </span>
  )
}

function OnlineText({ record }: { record: ServerRow }) {
  const { translate } = useLanguage()
  const online = useServerMetric(record, (metrics) => metrics.online)
  // For online servers this time is not shown and would change with every frame.
  const offlineSince = useServerMetric(record, (metrics) => (metrics.online ? undefined : metrics.seenAt))
  return (
    <>
      <span className="dot" data-online={online} />
      {online ? (
        translate('resources.server.values.online')
      ) : offlineSince === undefined ? (
        translate('resources.server.values.offline')
      ) : (
        <OfflineFor since={offlineSince} />
      )}
    </>
  )
}

function OfflineFor({ since }: { since: number }) {
  const { translate } = useLanguage()
  const seconds = (useServerClock() - since) / 1000
  // Meanwhile the column with the last report says "just now".
  if (seconds < 60) return <>{translate('resources.server.values.offline')}</>
  const duration = formatDuration(seconds, translate, 1)
  return <>{translate('resources.server.values.offline_for', { duration })}</>
}

function tooltip(record: ServerRow, { locale, translate }: Language): string {
  const { online, seenAt, state } = currentMetrics(record)
  if (online && state.uptime) {
    return `${translate('resources.server.columns.uptime')}: ${formatDuration(state.uptime, translate)}`
  }
  return seenAt === undefined
    ? ''
    : `${translate('resources.server.fields.last_active')}: ${formatDateTime(seenAt, locale)}`
}

interface MeterProps {
  /** 0 to 100; `undefined` while nothing is measured. */
  percentOf: (metrics: ServerMetrics) => number | undefined
  /** The tooltip. */
  detailOf: (metrics: ServerMetrics, language: Language) => string
}

const warningFrom = 75
const dangerFrom = 90

/** A thin bar with its percentage: neutral, yellow from 75 %, red from 90 %. */
function Meter({ percentOf, detailOf }: MeterProps) {
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

export const CpuMeter = () => <Meter percentOf={cpuPercent} detailOf={cpuDetail} />
export const MemoryMeter = () => <Meter percentOf={memoryPercent} detailOf={memoryDetail} />
export const DiskMeter = () => <Meter percentOf={diskPercent} detailOf={diskDetail} />

function cpuDetail({ host, state }: ServerMetrics, { locale, translate }: Language): string {
  const loads = [state.load_1, state.load_5, state.load_15].map((load) => formatNumber(load ?? 0, locale)).join('  ')
  return [...(host.cpu ?? []), `${translate('resources.server.columns.load')}: ${loads}`].join('\n')
}

function memoryDetail({ host, state }: ServerMetrics, { locale, translate }: Language): string {
  const memory = `${translate('resources.server.columns.memory')}: ${formatUsage(state.mem_used, host.mem_total, locale)}`
  if (!host.swap_total) return memory
  const swap = `${translate('resources.server.columns.swap')}: ${formatUsage(state.swap_used, host.swap_total, locale)}`
  return `${memory}\n${swap}`
}

const diskDetail = ({ host, state }: ServerMetrics, { locale, translate }: Language): string =>
  `${translate('resources.server.columns.disk')}: ${formatUsage(state.disk_used, host.disk_total, locale)}`

/** '1.2 GiB / 4 GiB' */
const formatUsage = (used = 0, total = 0, locale: string) =>
  `${formatBytes(used, locale)} / ${formatBytes(total, locale)}`

/** Upload and download speed in one unit, one under the other; the totals on hover. */
export function NetworkTraffic() {
  const record = useServerRow()
  const language = useLanguage()
  if (!record) return null
  return (
    <span className="cell-traffic" {...hoverTitle(() => totals(record, language))}>
      <Speeds record={record} locale={language.locale} />
    </span>
  )
}

function Speeds({ record, locale }: { record: ServerRow; locale: string }) {
  const text = useServerMetric(record, (metrics) => {
    const [up, down] = formatSpeeds(networkSpeeds(metrics) ?? [], locale)
    return up && `${up} ↑\n${down} ↓`
  })
  return text ?? <span className="none">–</span>
}

function totals(record: ServerRow, { locale, translate }: Language): string {
  const { net_out_transfer = 0, net_in_transfer = 0 } = currentMetrics(record).state
  const sent = `${translate('resources.server.values.upload')}: ${formatBytes(net_out_transfer, locale)}`
  return `${sent}\n${translate('resources.server.values.download')}: ${formatBytes(net_in_transfer, locale)}`
}
