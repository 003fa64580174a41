import { formatAge, formatDateTime } from '../../../components/format/format.ts'
import { type Language, useLanguage } from '../../../components/format/useLanguage.ts'
import { hoverTitle } from '../../../components/hoverTitle.ts'
import { currentMetrics, type ServerRow, useServerMetric, useServerRow } from '../../../components/serverMetrics.ts'
import { useServerClock } from '../../../live/serverClock.ts'

/** The time since the server's last report; the exact time on hover. */
export function LastSeen() {
  const record = useServerRow()
  const language = useLanguage()
  if (!record) return null
  return (
    <span style={{ whiteSpace: 'nowrap' }} {...hoverTitle(() => exactTime(record, language))}>
      <Age record={record} language={language} />
    </span>
  )
}

function Age({ record, language: { translate } }: { record: ServerRow; language: Language }) {
  const now = useServerClock()
  // An online server reported seconds ago: its time changes with every frame and would only cost renders.
  const seenAt = useServerMetric(record, (metrics) => (metrics.online ? Number.POSITIVE_INFINITY : metrics.seenAt))
  return <>{seenAt === undefined ? translate('resources.server.values.unknown') : formatAge(seenAt, now, translate)}</>
}

/** The server does not know when machines last reported before its own start. */
function exactTime(record: ServerRow, { locale, translate }: Language): string {
  const { seenAt } = currentMetrics(record)
  return seenAt === undefined ? translate('resources.server.values.not_since_start') : formatDateTime(seenAt, locale)
}
