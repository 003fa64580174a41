import { formatBytes, formatNumber } from '../../format/format.ts'
import type { Language } from '../../format/useLanguage.ts'
import { cpuPercent, diskPercent, memoryPercent, type ServerMetrics } from '../../hooks/serverMetrics.ts'
import { Meter } from './Meter.tsx'

export const CpuMeter = () => <Meter percentOf={cpuPercent} detailOf={cpuDetail} />
export const MemoryMeter = () => <Meter percentOf={memoryPercent} detailOf={memoryDetail} />
export const DiskMeter = () => <Meter percentOf={diskPercent} detailOf={diskDetail} />

function cpuDetail({ host, state }: ServerMetrics, { locale, translate }: Language): string {
  const loads = [state.load_1, state.load_5, state.load_15].map((load) => formatNumber(load ?? 0, locale)).join('  ')
  return [...(host.cpu ?? []), `${translate('resources.server.columns.load')}: ${loads}`].join('\n')
}

function memoryDetail({ host, state }: ServerMetrics, { locale, translate }: Language): string {
  const memory = `${translate('resources.server.columns.memory')}: ${usage(state.mem_used, host.mem_total, locale)}`
  if (!host.swap_total) return memory
  return `${memory}\n${translate('resources.server.columns.swap')}: ${usage(state.swap_used, host.swap_total, locale)}`
}

function diskDetail({ host, state }: ServerMetrics, { locale, translate }: Language): string {
  return `${translate('resources.server.columns.disk')}: ${usage(state.disk_used, host.disk_total, locale)}`
}

const usage = (used = 0, total = 0, locale: string) => `${formatBytes(used, locale)} / ${formatBytes(total, locale)}`
