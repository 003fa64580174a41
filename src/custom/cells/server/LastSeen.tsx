import { useServerClock } from '../../../live/serverClock.ts'
import { hoverTitle } from '../../components/hoverTitle.ts'
import { formatAge, formatDateTime } from '../../format/format.ts'
import { type Language, useLanguage } from '../../format/useLanguage.ts'
import { currentMetrics, type ServerRow, useServerMetric, useServerRow } from '../../hooks/serverMetrics.ts'

/** How long ago the server last reported; the exact time on hover. */
export function LastSeen() {
  const record = useServerRow()
  const words = useLanguage()
  if (!record) return null
  return (
    <span style={{ whiteSpace: 'nowrap' }} {...hoverTitle(() => exactly(record, words))}>
      <Age record={record} words={words} />
    </span>
  )
}

function Age({ record, words: { translate } }: { record: ServerRow; words: Language }) {
  const now = useServerClock()
  // An online server was seen seconds ago: a moment that moves with every frame would only cost renders.
  const seenAt = useServerMetric(record, (figures) => (figures.online ? Number.POSITIVE_INFINITY : figures.seenAt))
  return <>{seenAt === undefined ? translate('resources.server.values.unknown') : formatAge(seenAt, now, translate)}</>
}

/** The server keeps no time of machines that were silent since it started, so nobody can tell. */
function exactly(record: ServerRow, { locale, translate }: Language): string {
  const { seenAt } = currentMetrics(record)
  return seenAt === undefined ? translate('resources.server.values.not_since_start') : formatDateTime(seenAt, locale)
}
