import { formatBytes, formatNumber, formatPercent, formatSpeeds } from '../components/format/format.ts'
import type { StatusMetrics, StatusServer } from '../schemas/status/publicStatus.ts'
import { formatLength, type StatusTexts } from './statusTexts.ts'

/** A share of something, in percent; `undefined` when it is not known. `text` says the amounts, where they are known. */
export interface MeterValue {
  label: string
  percent: number | undefined
  text?: string
}

/** Stands where a value is not known. */
const unknown = '–'

type Traffic = 'net_in_transfer' | 'net_out_transfer'
type MetricName = 'cpu' | 'mem_used' | 'disk_used' | 'net_in_speed' | 'net_out_speed' | Traffic | 'uptime' | 'load_1'

/** A metric of a server that is online; `undefined` when nothing true is known of it. */
const metricOf = (metrics: StatusMetrics, name: MetricName): number | undefined =>
  metrics.missing?.includes(name) ? undefined : (metrics[name] ?? 0)

const textOf = (value: number | undefined, format: (value: number) => string): string =>
  value === undefined ? unknown : format(value)

/** What cards and tables show as meters. */
export function metersOf(
  { mem_total = 0, disk_total = 0 }: StatusServer,
  metrics: StatusMetrics,
  texts: StatusTexts,
  locale: string,
): MeterValue[] {
  const share = (label: string, used: number | undefined, total: number): MeterValue =>
    used === undefined || total === 0
      ? { label, percent: undefined }
      : { label, percent: (used / total) * 100, text: `${formatBytes(used, locale)} / ${formatBytes(total, locale)}` }
  return [
    { label: texts.cpu, percent: metricOf(metrics, 'cpu') },
    share(texts.memory, metricOf(metrics, 'mem_used'), mem_total),
    share(texts.disk, metricOf(metrics, 'disk_used'), disk_total),
  ]
}

/** Received and sent; a line ends between the two only. */
const bothWays = (received = unknown, sent = unknown) =>
  [`↓ ${received}`, `↑ ${sent}`].map((text) => text.replaceAll(' ', '\u00a0')).join(' ')

/** `↓ 1.2 MiB/s ↑ 0.3 MiB/s` */
export function networkText(metrics: StatusMetrics, locale: string): string {
  const [received, sent] = [metricOf(metrics, 'net_in_speed'), metricOf(metrics, 'net_out_speed')]
  const [receivedText, sentText] = formatSpeeds([received ?? 0, sent ?? 0], locale)
  return bothWays(received === undefined ? unknown : receivedText, sent === undefined ? unknown : sentText)
}

/** Since the start of the machine. */
export function trafficText(metrics: StatusMetrics, locale: string): string {
  const text = (name: Traffic) => textOf(metricOf(metrics, name), (bytes) => formatBytes(bytes, locale))
  return bothWays(text('net_in_transfer'), text('net_out_transfer'))
}

export const uptimeText = (metrics: StatusMetrics, locale: string): string =>
  textOf(metricOf(metrics, 'uptime'), (seconds) => formatLength(seconds, locale))

export const loadText = (metrics: StatusMetrics, locale: string): string =>
  textOf(metricOf(metrics, 'load_1'), (load) => formatNumber(load, locale))

export const percentText = (percent: number | undefined, locale: string): string =>
  textOf(percent, (known) => formatPercent(known, locale))
