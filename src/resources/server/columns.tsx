import { Suspense } from 'react'
import { useTranslate } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import { ServerUuid } from '../../components/cells/CopyCell.tsx'
import { groupNames } from '../../components/cells/groupNames.tsx'
import { isoText } from '../../components/cells/IsoTime.tsx'
import { ServerId } from '../../components/cells/idCells.tsx'
import { formatAge, formatDateTime, formatDuration } from '../../components/format/format.ts'
import { type Language, useLanguage } from '../../components/format/useLanguage.ts'
import { hoverTitle } from '../../components/hoverTitle.ts'
import { PrivateIcon, PublicIcon } from '../../components/icons.tsx'
import {
  addressesOf,
  cpuPercent,
  currentMetrics,
  diskPercent,
  memoryPercent,
  metricsAt,
  networkSpeeds,
  type ServerMetrics,
  type ServerRow,
  useDuplicateAddresses,
  useServerMetric,
  useServerRow,
} from '../../components/serverMetrics.ts'
import { column, derived } from '../../engine/define/defineResource.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { lastReportAt } from '../../live/lastReport.ts'
import { useStalledSince } from '../../live/liveStatus.ts'
import type { Entries } from '../../live/packedEntries.ts'
import { serverNow, useServerClock } from '../../live/serverClock.ts'
import { troubleRank, troubleRanks, useTrouble } from '../../live/trouble.ts'
import type { RowContext, TextContext } from '../../records/queryRows.ts'
import { CpuMeter, DiskMeter, MemoryMeter, NetworkTraffic, ServerStatus } from './cells.tsx'
import { conditionColumns, contractColumns } from './hiddenColumns.ts'
import { addressText, agentVersionText, countryOf, countryText, systemText } from './serverTexts.ts'
import { shownLater } from './shownLater.tsx'
import '../../components/theme/cells.css'

/** The name, and below it what is wrong with the server; else the machine's operating system. */
export function ServerName() {
  const record = useServerRow()
  if (!record) return null
  return (
    <span className="cell-stack cell-name">
      <span title={record.name}>{record.name}</span>
      <CauseOrSystem record={record} />
    </span>
  )
}

const TroubleCause = lazyPart(async () => ({ default: (await import('./trouble/troubleText.tsx')).TroubleCause }))

function CauseOrSystem({ record }: { record: ServerRow }) {
  const trouble = useWorst(record)
  const system = <SystemOrWarning record={record} />
  if (!trouble) return system
  return (
    <Suspense fallback={system}>
      <TroubleCause trouble={trouble} />
    </Suspense>
  )
}

/**
 * The worst of what is wrong with a server; what live metrics say by themselves is no part of it, nor for how long it has
 * been offline, which its status says.
 */
const useWorst = (record: ServerRow | undefined) =>
  useTrouble(({ worstOfServer }) => {
    const trouble = worstOfServer.get(Number(record?.id))
    if (trouble?.kind === 'server_offline' && trouble.since !== undefined) return undefined
    return trouble?.kind === 'shared_uuid' ? undefined : trouble
  })

/** What is wrong with the server of a card. Its place is there before its words, so that what is below does not move. */
export function ServerCause() {
  const record = useServerRow()
  const trouble = useWorst(record)
  const isOpen = useTrouble(({ troubles }) => troubles === undefined)
  const place = <small className="cell-cause">{'\u00a0'}</small>
  if (trouble) {
    return (
      <Suspense fallback={place}>
        <TroubleCause trouble={trouble} />
      </Suspense>
    )
  }
  return isOpen && record && lastReportAt(record) === undefined ? place : null
}

/** Several machines that report as this server are said as the live metrics have them. */
function SystemOrWarning({ record }: { record: ServerRow }) {
  const addresses = useDuplicateAddresses(record)
  return addresses ? <SharedUuid addresses={addresses} /> : <System record={record} />
}

function SharedUuid({ addresses }: { addresses: string }) {
  const translate = useTranslate()
  return (
    <small className="cell-warning" title={translate('resources.server.values.shared_uuid_help')}>
      {translate('resources.server.values.shared_uuid', { addresses })}
    </small>
  )
}

function System({ record }: { record: ServerRow }) {
  const system = useServerMetric(record, ({ host }) => [host.platform, host.platform_version].filter(Boolean).join(' '))
  return system ? <small title={system}>{system}</small> : null
}

/** The server's public addresses, IPv4 above IPv6. */
export function ServerAddress() {
  const record = useServerRow()
  const addresses = record ? addressesOf(record) : []
  if (!addresses.length) return null
  return (
    <span className="cell-stack cell-address" title={addresses.join('/')}>
      {addresses.map((address) => (
        <span key={address}>{address}</span>
      ))}
    </span>
  )
}

/** The name of the country that the server's address is in, where the server knows it. */
function ServerCountry() {
  const record = useServerRow()
  const language = useLanguage()
  return record ? countryText(record, { language }) : null
}

/** The version of the agent on the server, or 'Unknown'. */
export function AgentVersion() {
  const record = useServerRow()
  return record ? <Version record={record} /> : null
}

function Version({ record }: { record: ServerRow }) {
  const translate = useTranslate()
  const version = useServerMetric(record, (metrics) => metrics.host.version)
  return <>{version || translate('resources.server.values.unknown')}</>
}

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
  // While no frames come, it grows old as that of all others.
  const isLost = useStalledSince() !== undefined
  const seenAt = useServerMetric(record, ({ online, seenAt }) =>
    online && !isLost ? Number.POSITIVE_INFINITY : seenAt,
  )
  return <>{seenAt === undefined ? translate('resources.server.values.unknown') : formatAge(seenAt, now, translate)}</>
}

/** The server does not know when machines last reported before its own start. */
function exactTime(record: ServerRow, { locale, translate }: Language): string {
  const { seenAt } = currentMetrics(record)
  return seenAt === undefined ? translate('resources.server.values.not_since_start') : formatDateTime(seenAt, locale)
}

/** Copy buttons for the private and the public note; a pale button has nothing to copy. */
export function NoteButtons() {
  const record = useServerRow()
  const translate = useTranslate()
  if (!record) return null
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <CopyButton text={record.note} label={translate('resources.server.values.note_private')} Icon={PrivateIcon} />
      <CopyButton
        text={record.public_note}
        label={translate('resources.server.values.note_public')}
        Icon={PublicIcon}
      />
    </span>
  )
}

const LastHour = shownLater(async () => ({ default: (await import('./LastHour.tsx')).LastHour }))
const LastHourOptions = shownLater(async () => ({ default: (await import('./LastHour.tsx')).LastHourOptions }))

export const serverGroups = groupNames('server-group', 'servers')

/** A sort value by the metrics of a server as of one moment: rows must not move while metrics change. */
const byMetric =
  <Value,>(pick: (metrics: ServerMetrics) => Value) =>
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
