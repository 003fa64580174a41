import { formatNumber } from '../../../components/format/format.ts'
import type { Language } from '../../../components/format/useLanguage.ts'
import { cpuPercent, type ServerMetrics } from '../../../components/serverMetrics.ts'
import { Meter } from './Meter.tsx'

export const CpuMeter = () => <Meter percentOf={cpuPercent} detailOf={cpuDetail} />

function cpuDetail({ host, state }: ServerMetrics, { locale, translate }: Language): string {
  const loads = [state.load_1, state.load_5, state.load_15].map((load) => formatNumber(load ?? 0, locale)).join('  ')
  return [...(host.cpu ?? []), `${translate('resources.server.columns.load')}: ${loads}`].join('\n')
}
