import { formatBytes, formatNumber, formatPercent, formatSpeeds } from '../../../components/format/format.ts'
import { formatMetric } from '../../../components/format/formatMetric.ts'
import { type Language, useLanguage } from '../../../components/format/useLanguage.ts'
import { Metric, MetricRow } from '../../../components/overview/MetricRow.tsx'
import {
  cpuPercent,
  diskPercent,
  memoryPercent,
  networkSpeeds,
  type ServerMetrics,
  type ServerRow,
  useServerMetric,
} from '../../../components/serverMetrics.ts'

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

const usage = (used = 0, total = 0, { locale }: Language) =>
  total > 0 ? `${formatBytes(used, locale)} / ${formatBytes(total, locale)}` : ''

/** A count, where the machine is online; machines leave out zeros. */
const count = (metrics: ServerMetrics, value: number | undefined, { locale }: Language) =>
  metrics.online && Object.keys(metrics.state).length > 0 ? formatNumber(value ?? 0, locale) : undefined

const highest = (values: readonly number[]) => (values.length > 0 ? Math.max(...values) : undefined)

const shownMetrics: readonly MetricDefinition[] = [
  {
    label: 'resources.server.columns.cpu',
    value: (metrics, language) => percentText(cpuPercent(metrics), language),
    percent: cpuPercent,
    detail: ({ online, state }, { locale, translate }) =>
      online
        ? `${translate('resources.server.columns.load')} ${[state.load_1, state.load_5, state.load_15]
            .map((load) => formatNumber(load ?? 0, locale))
            .join(' · ')}`
        : '',
  },
  {
    label: 'resources.server.columns.memory',
    value: (metrics, language) => percentText(memoryPercent(metrics), language),
    percent: memoryPercent,
    detail: ({ online, host, state }, language) =>
      online
        ? [
            usage(state.mem_used, host.mem_total, language),
            host.swap_total
              ? `${language.translate('resources.server.columns.swap')} ${usage(state.swap_used, host.swap_total, language)}`
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
    detail: ({ host, state }, language) => usage(state.disk_used, host.disk_total, language),
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
    value: (metrics, language) =>
      count(metrics, (metrics.state.tcp_conn_count ?? 0) + (metrics.state.udp_conn_count ?? 0), language),
    detail: ({ online, state }, { locale }) =>
      online
        ? `TCP ${formatNumber(state.tcp_conn_count ?? 0, locale)} · UDP ${formatNumber(state.udp_conn_count ?? 0, locale)}`
        : '',
  },
  {
    label: 'app.charts.metrics.processes',
    value: (metrics, language) => count(metrics, metrics.state.process_count, language),
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
