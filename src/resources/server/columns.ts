import { ServerUuid } from '../../components/cells/CopyCell.tsx'
import { groupNames } from '../../components/cells/groupNames.tsx'
import { isoText } from '../../components/cells/IsoTime.tsx'
import { ServerId } from '../../components/cells/idCells.tsx'
import { formatDuration } from '../../components/format/format.ts'
import {
  cpuPercent,
  diskPercent,
  memoryPercent,
  metricsAt,
  networkSpeeds,
  type ServerMetrics,
  type ServerRow,
} from '../../components/serverMetrics.ts'
import { column, derived } from '../../engine/define/defineResource.ts'
import type { Entries } from '../../live/feedMessages.ts'
import { serverNow } from '../../live/serverClock.ts'
import { troubleRank, troubleRanks } from '../../live/trouble.ts'
import type { RowContext, TextContext } from '../../records/queryRows.ts'
import {
  AgentVersion,
  CpuMeter,
  DiskMeter,
  LastSeen,
  MemoryMeter,
  NetworkTraffic,
  NoteButtons,
  ServerAddress,
  ServerCountry,
  ServerName,
  ServerStatus,
} from './cells.tsx'
import { conditionColumns, contractColumns } from './hiddenColumns.ts'
import { addressText, agentVersionText, countryOf, countryText, systemText } from './serverTexts.ts'
import { shownLater } from './shownLater.tsx'

const LastHour = shownLater(async () => ({ default: (await import('./LastHour.tsx')).LastHour }))
const LastHourOptions = shownLater(async () => ({ default: (await import('./LastHour.tsx')).LastHourOptions }))

export const serverGroups = groupNames('server-group', 'servers')

/** A sort value by the metrics of a server as of one moment: rows must not move while metrics change. */
const byMetric =
  <Value>(pick: (metrics: ServerMetrics) => Value) =>
  (row: ServerRow, { live }: RowContext<Entries>): Value =>
    pick(metricsAt(row, live))

export const isOnlineNow = byMetric(({ online }) => online)

type MetricText = (metrics: ServerMetrics, context: TextContext<Entries>) => string

/** A text of the metrics that a server has at the moment of the export. */
const metricText = (textOf: MetricText) => (row: ServerRow, context: TextContext<Entries>) =>
  textOf(metricsAt(row, context.live), context)

const percent = (percentOf: (metrics: ServerMetrics) => number | undefined) => ({
  unit: '%',
  text: metricText((metrics) => {
    const value = percentOf(metrics)
    return value === undefined ? '' : String(Math.round(Math.min(100, Math.max(0, value))))
  }),
})

const speed = (heading: string, direction: 0 | 1) => ({
  heading,
  unit: 'KiB/s',
  text: metricText((metrics) => {
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

const live = ['live'] as const

/** Servers without a metric come last in its order. */
export const columns = [
  column('id', { Cell: ServerId, width: 64 }),
  column('name', {
    Cell: ServerName,
    text: systemText,
    file: [{ text: ({ name }: ServerRow) => name }, { heading: 'resources.server.columns.platform', text: systemText }],
  }),
  derived('status', {
    Cell: ServerStatus,
    // Ascending: trouble first, as people look for that.
    sort: troubleRank,
    sortState: troubleRanks,
    file: metricText(statusText),
    needs: live,
  }),
  derived('cpu', { Cell: CpuMeter, sort: byMetric(cpuPercent), file: [percent(cpuPercent)], needs: live, width: 130 }),
  derived('memory', {
    Cell: MemoryMeter,
    sort: byMetric(memoryPercent),
    file: [percent(memoryPercent)],
    needs: live,
    width: 130,
  }),
  derived('disk', {
    Cell: DiskMeter,
    sort: byMetric(diskPercent),
    file: [percent(diskPercent)],
    needs: live,
    width: 130,
  }),
  derived('traffic', {
    Cell: NetworkTraffic,
    sort: byMetric((metrics) => networkSpeeds(metrics)?.reduce((up, down) => up + down)),
    file: [speed('resources.server.values.upload', 0), speed('resources.server.values.download', 1)],
    needs: live,
    align: 'end',
  }),
  derived('last_hour', {
    Cell: LastHour,
    sort: false,
    // The drawn line has no text.
    file: [],
    hidden: 'always',
    announced: 'last_hour',
    width: 136,
    Options: LastHourOptions,
  }),
  derived('group', serverGroups.column),
  derived('ip', { Cell: ServerAddress, sort: addressText, text: addressText }),
  derived('country', { Cell: ServerCountry, sort: countryOf, text: countryText, hidden: 'always' }),
  column('host.version', { Cell: AgentVersion, text: agentVersionText, hidden: 'unlessChosen' }),
  column('last_active', {
    Cell: LastSeen,
    sort: byMetric(({ seenAt }) => seenAt),
    file: metricText(lastSeenText),
    needs: live,
  }),
  column('enable_ddns', { hidden: 'unlessChosen' }),
  column('hide_for_guest', { hidden: 'unlessChosen' }),
  derived('note', {
    Cell: NoteButtons,
    sort: ({ note }: ServerRow) => note,
    file: [
      { heading: 'resources.server.fields.note', text: ({ note }: ServerRow) => note ?? '' },
      { heading: 'resources.server.fields.public_note', text: ({ public_note }: ServerRow) => public_note ?? '' },
    ],
    hidden: 'unlessChosen',
  }),
  column('uuid', { Cell: ServerUuid, hidden: 'unlessChosen' }),
  ...contractColumns,
  ...conditionColumns,
]
