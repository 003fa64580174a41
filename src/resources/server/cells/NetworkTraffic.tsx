import { formatBytes, formatSpeeds } from '../../../components/format/format.ts'
import { type Language, useLanguage } from '../../../components/format/useLanguage.ts'
import { hoverTitle } from '../../../components/hoverTitle.ts'
import {
  currentMetrics,
  networkSpeeds,
  type ServerRow,
  useServerMetric,
  useServerRow,
} from '../../../components/serverMetrics.ts'
import '../../../components/theme/cells.css'

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
