import type { Language } from '../../../components/format/useLanguage.ts'
import { memoryPercent, type ServerMetrics } from '../../../components/serverMetrics.ts'
import { formatUsage, Meter } from './Meter.tsx'

export const MemoryMeter = () => <Meter percentOf={memoryPercent} detailOf={memoryDetail} />

function memoryDetail({ host, state }: ServerMetrics, { locale, translate }: Language): string {
  const memory = `${translate('resources.server.columns.memory')}: ${formatUsage(state.mem_used, host.mem_total, locale)}`
  if (!host.swap_total) return memory
  const swap = `${translate('resources.server.columns.swap')}: ${formatUsage(state.swap_used, host.swap_total, locale)}`
  return `${memory}\n${swap}`
}
