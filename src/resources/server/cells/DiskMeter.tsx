import type { Language } from '../../../components/format/useLanguage.ts'
import { diskPercent, type ServerMetrics } from '../../../components/serverMetrics.ts'
import { formatUsage, Meter } from './Meter.tsx'

export const DiskMeter = () => <Meter percentOf={diskPercent} detailOf={diskDetail} />

const diskDetail = ({ host, state }: ServerMetrics, { locale, translate }: Language): string =>
  `${translate('resources.server.columns.disk')}: ${formatUsage(state.disk_used, host.disk_total, locale)}`
