import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import {
  formatBytes,
  formatCalendarDay,
  formatDateTime,
  formatMetric,
  formatNumber,
  formatPercent,
  formatSpeeds,
  type Language,
} from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Metric, MetricRow } from '../../../components/overview/MetricRow.tsx'
import { Copied, Fact, FactList, Panel } from '../../../components/Panel.tsx'
import {
  addressesOf,
  cpuPercent,
  diskPercent,
  hasReported,
  memoryPercent,
  metricsOf,
  networkSpeeds,
  type ServerMetrics,
  type ServerRow,
  useServerMetric,
} from '../../../components/serverMetrics.ts'
import { useLive } from '../../../live/store.ts'
import { isObject, type Values } from '../../../schemas/define/values.ts'
import { noteParts } from '../../../schemas/machines/publicNote.ts'
import { dayOf, type NoteKind, noteChoices } from '../publicNote/publicNoteValues.ts'

/** The live metrics of a server. Those that its machine does not report are absent. */
export function ServerMetricRow({ server }: { server: ServerRow }) {
  const language = useLanguage()
  return (
    <MetricRow aria-label={language.translate('app.overview.live')}>
      {shownMetrics.map((metric) => (
        <LiveMetric key={metric.label} server={server} metric={metric} language={language} />
      ))}
    </MetricRow>
  )
}

interface MetricDefinition {
  label: string
  value: (metrics: ServerMetrics, language: Language) => string | undefined
  detail?: (metrics: ServerMetrics, language: Language) => string
  percent?: (metrics: ServerMetrics) => number | undefined
  /** Only some machines report it. */
  isOptional?: true
}

/** Renders only when its own texts change. */
function LiveMetric({ server, metric, language }: { server: ServerRow; metric: MetricDefinition; language: Language }) {
  const { label, value, detail, percent, isOptional } = metric
  const shown = useServerMetric(server, (metrics) => value(metrics, language))
  const below = useServerMetric(server, (metrics) => detail?.(metrics, language))
  const share = useServerMetric(server, (metrics) => percent?.(metrics))
  if (isOptional && shown === undefined) return null
  return <Metric label={language.translate(label)} value={shown} detail={below} percent={share} />
}

const percentText = (percent: number | undefined, { locale }: Language) =>
  percent === undefined ? undefined : formatPercent(percent, locale, percent < 10 ? 1 : 0)

type Size = 'mem_used' | 'swap_used' | 'disk_used'

const usage = (metrics: ServerMetrics, name: Size, total = 0, { locale }: Language) => {
  const used = hasReported(metrics, name) ? formatBytes(metrics.state[name] ?? 0, locale) : '–'
  return total > 0 ? `${used} / ${formatBytes(total, locale)}` : ''
}

type Count = 'tcp_conn_count' | 'udp_conn_count' | 'process_count' | 'load_1' | 'load_5' | 'load_15'

/** A count, where it is known; machines leave out zeros. */
const count = (metrics: ServerMetrics, name: Count, { locale }: Language): string =>
  hasReported(metrics, name) ? formatNumber(metrics.state[name] ?? 0, locale) : '–'

const highest = (values: readonly number[]) => (values.length > 0 ? Math.max(...values) : undefined)

const shownMetrics: readonly MetricDefinition[] = [
  {
    label: 'resources.server.columns.cpu',
    value: (metrics, language) => percentText(cpuPercent(metrics), language),
    percent: cpuPercent,
    detail: (metrics, language) =>
      metrics.online
        ? `${language.translate('resources.server.columns.load')} ${(['load_1', 'load_5', 'load_15'] as const)
            .map((name) => count(metrics, name, language))
            .join(' · ')}`
        : '',
  },
  {
    label: 'resources.server.columns.memory',
    value: (metrics, language) => percentText(memoryPercent(metrics), language),
    percent: memoryPercent,
    detail: (metrics, language) =>
      metrics.online
        ? [
            usage(metrics, 'mem_used', metrics.host.mem_total, language),
            metrics.host.swap_total
              ? `${language.translate('resources.server.columns.swap')} ${usage(metrics, 'swap_used', metrics.host.swap_total, language)}`
              : '',
          ]
            .filter(Boolean)
            .join('\n')
        : '',
  },
  {
    label: 'resources.server.columns.disk',
    value: (metrics, language) => percentText(diskPercent(metrics), language),
    percent: diskPercent,
    detail: (metrics, language) => usage(metrics, 'disk_used', metrics.host.disk_total, language),
  },
  {
    label: 'app.charts.metrics.speed',
    value(metrics, { locale }) {
      const [up, down] = formatSpeeds(networkSpeeds(metrics) ?? [], locale)
      return up && `↑ ${up}\n↓ ${down}`
    },
    detail: ({ state }, { locale }) =>
      state.net_out_transfer || state.net_in_transfer
        ? `↑ ${formatBytes(state.net_out_transfer ?? 0, locale)} · ↓ ${formatBytes(state.net_in_transfer ?? 0, locale)}`
        : '',
  },
  {
    label: 'app.charts.metrics.connections',
    value: (metrics, { locale }) =>
      metrics.online && hasReported(metrics, 'tcp_conn_count') && hasReported(metrics, 'udp_conn_count')
        ? formatNumber((metrics.state.tcp_conn_count ?? 0) + (metrics.state.udp_conn_count ?? 0), locale)
        : undefined,
    detail: (metrics, language) =>
      metrics.online
        ? `TCP ${count(metrics, 'tcp_conn_count', language)} · UDP ${count(metrics, 'udp_conn_count', language)}`
        : '',
  },
  {
    label: 'app.charts.metrics.processes',
    value: (metrics, language) =>
      metrics.online && hasReported(metrics, 'process_count') ? count(metrics, 'process_count', language) : undefined,
  },
  {
    label: 'app.charts.metrics.temperature',
    isOptional: true,
    value(metrics, language) {
      const most = highest((metrics.state.temperatures ?? []).map(({ Temperature }) => Temperature))
      return metrics.online && most !== undefined ? formatMetric(most, 'celsius', language) : undefined
    },
  },
  {
    label: 'app.charts.metrics.gpu',
    isOptional: true,
    value: ({ online, state }, language) => (online ? percentText(highest(state.gpu ?? []), language) : undefined),
    percent: ({ online, state }) => (online ? highest(state.gpu ?? []) : undefined),
    detail: ({ host }) => (host.gpu ?? []).join('\n'),
  },
]

/** The notes of a server; absent without any. */
export function ServerNotes({ server: { note, public_note } }: { server: ServerRow }) {
  const translate = useTranslate()
  if (!note && !public_note) return null
  return (
    <Panel title={translate('app.overview.notes')}>
      {note ? <Note>{note}</Note> : null}
      {public_note ? (
        <>
          <Heading>{translate('resources.server.fields.public_note')}</Heading>
          <PublicNote text={public_note} />
        </>
      ) : null}
    </Panel>
  )
}

/** A note that fits the form by its fields, any other as it was written. */
function PublicNote({ text }: { text: string }) {
  const language = useLanguage()
  const facts = factsIn(text)
  if (facts.length === 0) return <Note>{text}</Note>
  return (
    <FactList>
      {facts.map(({ key, kind, value }) => (
        <Fact key={key} name={language.translate(`app.public_note.fields.${key}`)}>
          {valueText(kind, value, language)}
        </Fact>
      ))}
    </FactList>
  )
}

/** As its field in the form shows it; what the form could not show stays as it was written. */
function valueText(kind: NoteKind, value: string, { locale, translate }: Language): string {
  if (kind === 'flag') return value === '0' || value === '1' ? translate(`ra.boolean.${value === '1'}`) : value
  if (kind === 'cycle' || kind === 'traffic') {
    const choice = Object.entries(noteChoices[kind]).find(([code]) => code === value)
    return choice ? translate(`app.public_note.choices.${choice[1]}`) : value
  }
  if (kind === 'text') return value
  // The year 0 stands for never.
  if (kind === 'end' && value.startsWith('0000')) return translate('app.public_note.no_expiry')
  const at = Date.parse(dayOf(value))
  return Number.isNaN(at) ? value : formatCalendarDay(at, locale)
}

interface NoteFact {
  key: string
  kind: NoteKind
  value: string
}

function factsIn(text: string): NoteFact[] {
  const note = parseNote(text)
  return Object.entries(noteParts).flatMap(([part, fields]) =>
    Object.entries<NoteKind>(fields).flatMap(([key, kind]): NoteFact[] => {
      const values = note[part]
      const value = isObject(values) ? values[key] : undefined
      return typeof value === 'string' && value !== '' ? [{ key, kind, value }] : []
    }),
  )
}

/** What the text holds, where it is an object in JSON. */
function parseNote(text: string): Values {
  try {
    const note: unknown = JSON.parse(text)
    return isObject(note) ? note : {}
  } catch {
    return {}
  }
}

const Note = styled('p')({ margin: 0, fontSize: 13, whiteSpace: 'pre-wrap' })
const Heading = styled('h3')(({ theme }) => ({ ...theme.typography.h3, margin: theme.spacing(1.5, 0, 0.5) }))

/** What the machine is: its system, hardware, addresses and agent. */
export function ServerFacts({ server }: { server: ServerRow & { owner?: { id: number; username?: string } } }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  // Machines report these once: they do not change with every frame.
  const live = useLive(Number(server.id), (entry) => entry?.host)
  const host = live ?? metricsOf(server).host
  const size = (bytes: number | undefined) => (bytes ? formatBytes(bytes, locale) : undefined)
  const addresses = addressesOf(server)
  const timeOf = (moment: string) => formatDateTime(Date.parse(moment), locale)
  const { jumps = 0, values = 0, jumped_at } = server.left_out ?? {}
  const leftOut = [
    ...(jumped_at ? [translate('app.overview.jumps_left_out', { smart_count: jumps, at: timeOf(jumped_at) })] : []),
    ...(values > 0 ? [translate('app.overview.values_left_out', { smart_count: values })] : []),
  ]
  const country = countryName(server.geoip?.country_code, locale)
  return (
    <Panel title={translate('app.overview.machine')}>
      <FactList>
        <Fact name={translate('app.overview.system')}>
          {[host.platform, host.platform_version].filter(Boolean).join(' ')}
        </Fact>
        <Fact name={translate('app.overview.kind')}>
          {[host.virtualization, host.arch].filter(Boolean).join(' · ')}
        </Fact>
        <Fact name={translate('resources.server.columns.cpu')}>{(host.cpu ?? []).join('\n')}</Fact>
        <Fact name={translate('app.charts.metrics.gpu')}>{(host.gpu ?? []).join('\n')}</Fact>
        <Fact name={translate('resources.server.columns.memory')}>{size(host.mem_total)}</Fact>
        <Fact name={translate('resources.server.columns.swap')}>{size(host.swap_total)}</Fact>
        <Fact name={translate('resources.server.columns.disk')}>{size(host.disk_total)}</Fact>
        <Fact name={translate('app.overview.booted')}>
          {host.boot_time ? formatDateTime(host.boot_time * 1000, locale) : undefined}
        </Fact>
        <Fact name={translate('resources.server.fields.left_out')}>{leftOut.join('\n')}</Fact>
        <Fact name={translate('app.overview.addresses')}>
          {addresses.length > 0
            ? addresses.map((address) => <Copied key={address} text={address} name={address} />)
            : undefined}
        </Fact>
        <Fact name={translate('app.overview.country')}>{country}</Fact>
        <Fact name={translate('resources.server.fields.host_version')}>{host.version}</Fact>
        <Fact name={translate('app.overview.owner')}>{server.owner?.username}</Fact>
        <Fact name="UUID">{server.uuid ? <Copied text={server.uuid} name="UUID" /> : undefined}</Fact>
      </FactList>
    </Panel>
  )
}

/** 'nl' is 'Netherlands'; an unknown code stays as it is. */
function countryName(code: string | undefined, locale: string): string | undefined {
  if (!code) return undefined
  try {
    return new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(code.toUpperCase())
  } catch {
    return code
  }
}
