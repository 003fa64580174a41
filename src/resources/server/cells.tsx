import '../../components/theme/cells.css'
import { Suspense } from 'react'
import { useTranslate } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import {
  formatAge,
  formatBytes,
  formatDateTime,
  formatDuration,
  formatNumber,
  formatPercent,
  formatSpeeds,
  type Language,
} from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { hoverTitle } from '../../components/hoverTitle.ts'
import { PrivateIcon, PublicIcon } from '../../components/icons.tsx'
import {
  addressesOf,
  cpuPercent,
  currentMetrics,
  diskPercent,
  memoryPercent,
  networkSpeeds,
  type ServerMetrics,
  type ServerRow,
  useDuplicateAddresses,
  useServerMetric,
  useServerRow,
} from '../../components/serverMetrics.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { lastReportAt } from '../../live/lastReport.ts'
import { useStalledSince } from '../../live/liveStatus.ts'
import { useServerClock } from '../../live/serverClock.ts'
import { useTrouble } from '../../live/trouble.ts'
import { LazySilence } from '../mute/LazySilence.tsx'
import { countryText } from './serverTexts.ts'

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

interface MeterProps {
  /** 0 to 100; `undefined` while nothing is measured. */
  percentOf: (metrics: ServerMetrics) => number | undefined
  /** The tooltip. */
  detailOf: (metrics: ServerMetrics, language: Language) => string
}

const warningFrom = 75
const dangerFrom = 90

/** A thin bar with its percentage: neutral, yellow from 75 %, red from 90 %. */
function Meter({ percentOf, detailOf }: MeterProps) {
  const record = useServerRow()
  const language = useLanguage()
  if (!record) return null
  return (
    <span className="cell-meter" {...hoverTitle(() => detailOf(currentMetrics(record), language))}>
      <Bar record={record} percentOf={percentOf} locale={language.locale} />
    </span>
  )
}

interface BarProps {
  record: ServerRow
  percentOf: MeterProps['percentOf']
  locale: string
}

/** Renders with every change: plain elements keep an update of a hundred rows cheap. */
function Bar({ record, percentOf, locale }: BarProps) {
  const percent = useServerMetric(record, (metrics) => rounded(percentOf(metrics)))
  if (percent === undefined) return <span className="none">–</span>
  const level = percent >= dangerFrom ? 'danger' : percent >= warningFrom ? 'warning' : 'normal'
  return (
    <>
      <span className="track" data-level={level}>
        <span style={{ width: `${percent}%` }} />
      </span>
      <span className="percent">{formatPercent(percent, locale)}</span>
    </>
  )
}

const rounded = (percent: number | undefined) =>
  percent === undefined ? undefined : Math.round(Math.min(100, Math.max(0, percent)))

export const CpuMeter = () => <Meter percentOf={cpuPercent} detailOf={cpuDetail} />
export const MemoryMeter = () => <Meter percentOf={memoryPercent} detailOf={memoryDetail} />
export const DiskMeter = () => <Meter percentOf={diskPercent} detailOf={diskDetail} />

function cpuDetail({ host, state }: ServerMetrics, { locale, translate }: Language): string {
  const loads = [state.load_1, state.load_5, state.load_15].map((load) => formatNumber(load ?? 0, locale)).join('  ')
  return [...(host.cpu ?? []), `${translate('resources.server.columns.load')}: ${loads}`].join('\n')
}

function memoryDetail({ host, state }: ServerMetrics, { locale, translate }: Language): string {
  const memory = `${translate('resources.server.columns.memory')}: ${formatUsage(state.mem_used, host.mem_total, locale)}`
  if (!host.swap_total) return memory
  const swap = `${translate('resources.server.columns.swap')}: ${formatUsage(state.swap_used, host.swap_total, locale)}`
  return `${memory}\n${swap}`
}

const diskDetail = ({ host, state }: ServerMetrics, { locale, translate }: Language): string =>
  `${translate('resources.server.columns.disk')}: ${formatUsage(state.disk_used, host.disk_total, locale)}`

/** '1.2 GiB / 4 GiB' */
const formatUsage = (used = 0, total = 0, locale: string) =>
  `${formatBytes(used, locale)} / ${formatBytes(total, locale)}`

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
export function ServerCountry() {
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
