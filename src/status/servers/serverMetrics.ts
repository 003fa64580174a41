import { formatBytes, formatPercent, formatSpeeds } from '../../components/format/format.ts'
import type { StatusMetrics, StatusServer } from '../../schemas/status/publicStatus.ts'
import type { StatusTexts } from '../texts/statusTexts.ts'

/** A share of something, in percent. `text` says the amounts, where they are known. */
export interface MeterValue {
  label: string
  percent: number
  text?: string
}

/** What cards and tables show as meters. */
export function metersOf(
  { mem_total = 0, disk_total = 0 }: StatusServer,
  { cpu = 0, mem_used = 0, disk_used = 0 }: StatusMetrics,
  texts: StatusTexts,
  locale: string,
): MeterValue[] {
  const share = (label: string, used: number, total: number): MeterValue => ({
    label,
    percent: total > 0 ? (used / total) * 100 : 0,
    text: `${formatBytes(used, locale)} / ${formatBytes(total, locale)}`,
  })
  return [
    { label: texts.cpu, percent: cpu },
    share(texts.memory, mem_used, mem_total),
    share(texts.disk, disk_used, disk_total),
  ]
}

/** Received and sent; a line ends between the two only. */
const bothWays = (received = '', sent = '') =>
  [`↓ ${received}`, `↑ ${sent}`].map((text) => text.replaceAll(' ', '\u00a0')).join(' ')

/** `↓ 1.2 MiB/s ↑ 0.3 MiB/s` */
export function networkText({ net_in_speed = 0, net_out_speed = 0 }: StatusMetrics, locale: string): string {
  const [received, sent] = formatSpeeds([net_in_speed, net_out_speed], locale)
  return bothWays(received, sent)
}

/** Since the start of the machine. */
export const trafficText = ({ net_in_transfer = 0, net_out_transfer = 0 }: StatusMetrics, locale: string): string =>
  bothWays(formatBytes(net_in_transfer, locale), formatBytes(net_out_transfer, locale))

export const percentText = (percent: number, locale: string): string => formatPercent(percent, locale)
