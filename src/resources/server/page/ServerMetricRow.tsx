import { formatBytes, formatNumber, formatPercent, formatSpeeds } from '../../../components/format/format.ts'
import { formatMetric } from '../../../components/format/formatMetric.ts'
import { type Language, useLanguage } from '../../../components/format/useLanguage.ts'
import { Metric, MetricRow } from '../../../components/overview/MetricRow.tsx'
import {
  cpuPercent,
  diskPercent,
  hasReported,
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
