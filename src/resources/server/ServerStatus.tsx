import { formatDateTime, formatDuration } from '../../components/format/format.ts'
import { type Language, useLanguage } from '../../components/format/useLanguage.ts'
import { hoverTitle } from '../../components/hoverTitle.ts'
import { currentMetrics, type ServerRow, useServerMetric, useServerRow } from '../../components/serverMetrics.ts'
import { useServerClock } from '../../live/serverClock.ts'
import '../../components/theme/cells.css'
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
