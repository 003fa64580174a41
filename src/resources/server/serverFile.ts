import { isoText } from '../../components/cells/IsoTime.tsx'
import { formatDuration } from '../../components/format/format.ts'
import {
  cpuPercent,
  diskPercent,
  memoryPercent,
  metricsAt,
  networkSpeeds,
  type ServerMetrics,
} from '../../components/serverMetrics.ts'
import type { FileColumns } from '../../engine/define/column.ts'
import { serverNow } from '../../live/serverClock.ts'
import type { Row, TextContext } from '../../records/queryRows.ts'
import { systemText } from './cells/serverTexts.ts'

type MetricText = (metrics: ServerMetrics, context: TextContext) => string

/** A text of the metrics that a server has at the moment of the export. */
const byMetrics = (textOf: MetricText) => (row: Row, context: TextContext) =>
  textOf(metricsAt(row, context.snapshot), context)

const percent = (percentOf: (metrics: ServerMetrics) => number | undefined) => ({
  unit: '%',
  text: byMetrics((metrics) => {
    const value = percentOf(metrics)
    return value === undefined ? '' : String(Math.round(Math.min(100, Math.max(0, value))))
  }),
})

const speed = (heading: string, direction: 0 | 1) => ({
  heading,
  unit: 'KiB/s',
  text: byMetrics((metrics) => {
    const bytes = networkSpeeds(metrics)?.[direction]
    return bytes === undefined ? '' : (bytes / 1024).toFixed(1)
  }),
})

const statusText: MetricText = ({ online, seenAt }, { language: { translate } }) => {
  if (online) return translate('resources.server.values.online')
  if (seenAt === undefined) return translate('resources.server.values.offline')
  const seconds = Math.max(60, (serverNow() - seenAt) / 1000)
  return translate('resources.server.values.offline_for', { duration: formatDuration(seconds, translate, 1) })
}

/** The time itself: 'just now' is true for a moment only. */
const lastSeenText: MetricText = ({ seenAt }, { language: { translate } }) =>
  seenAt === undefined ? translate('resources.server.values.unknown') : isoText(seenAt)

export const serverFile: FileColumns = {
  name: [
    { text: ({ name }) => String(name ?? '') },
    { heading: 'resources.server.columns.platform', text: (row) => systemText(row) },
  ],
  status: [{ text: byMetrics(statusText) }],
  cpu: [percent(cpuPercent)],
  memory: [percent(memoryPercent)],
  disk: [percent(diskPercent)],
  traffic: [speed('resources.server.values.upload', 0), speed('resources.server.values.download', 1)],
  // The drawn line of the last hour has no text.
  last_hour: [],
  last_active: [{ text: byMetrics(lastSeenText) }],
  note: [
    { heading: 'resources.server.fields.note', text: ({ note }) => String(note ?? '') },
    { heading: 'resources.server.fields.public_note', text: ({ public_note }) => String(public_note ?? '') },
  ],
}
