import type { serverMetrics } from '../../schemas/endpoints/serviceHistory.ts'
import type { MetricUnit } from '../format/formatMetric.ts'
import type { ServerRow } from '../hooks/serverMetrics.ts'

/** A text with its arguments. */
interface Label {
  key: string
  args?: Record<string, unknown>
}

interface MetricLine extends Label {
  metric: (typeof serverMetrics)[number]
}

/** Figures of a server that belong into one chart. */
export interface ChartDefinition extends Label {
  lines: readonly MetricLine[]
  unit: MetricUnit
  /** What the figure can be at most on this machine. */
  most?: (server: ServerRow) => number | undefined
  /** Not every machine has it, or tells it. */
  isOptional?: true
}

type Options = Pick<ChartDefinition, 'most' | 'isOptional'>

/** A chart of one line, which has the chart's name. */
const single = (
  metric: MetricLine['metric'],
  key: string,
  unit: MetricUnit,
  options: Options = {},
): ChartDefinition => ({
  key,
  lines: [{ metric, key }],
  unit,
  ...options,
})

const received = 'resources.server.values.download'
const sent = 'resources.server.values.upload'
const minutes = (count: number): Label => ({ key: 'app.duration.minutes', args: { count } })

/** The charts of a server, in the order of the choice. */
export const metricCharts: readonly ChartDefinition[] = [
  single('cpu', 'resources.server.columns.cpu', 'percent'),
  single('memory', 'resources.server.columns.memory', 'bytes', { most: ({ host }) => host?.mem_total }),
  single('swap', 'resources.server.columns.swap', 'bytes', { most: ({ host }) => host?.swap_total, isOptional: true }),
  single('disk', 'resources.server.columns.disk', 'bytes', { most: ({ host }) => host?.disk_total }),
  {
    key: 'app.charts.metrics.speed',
    lines: [
      { metric: 'net_in_speed', key: received },
      { metric: 'net_out_speed', key: sent },
    ],
    unit: 'bytesPerSecond',
  },
  {
    key: 'app.charts.metrics.transfer',
    lines: [
      { metric: 'net_in_transfer', key: received },
      { metric: 'net_out_transfer', key: sent },
    ],
    unit: 'bytes',
  },
  {
    key: 'resources.server.columns.load',
    lines: [
      { metric: 'load1', ...minutes(1) },
      { metric: 'load5', ...minutes(5) },
      { metric: 'load15', ...minutes(15) },
    ],
    unit: 'count',
  },
  {
    key: 'app.charts.metrics.connections',
    lines: [
      { metric: 'tcp_conn', key: 'app.charts.metrics.tcp' },
      { metric: 'udp_conn', key: 'app.charts.metrics.udp' },
    ],
    unit: 'count',
  },
  single('process_count', 'app.charts.metrics.processes', 'count'),
  single('temperature', 'app.charts.metrics.temperature', 'celsius', { isOptional: true }),
  single('uptime', 'resources.server.columns.uptime', 'seconds'),
  single('gpu', 'app.charts.metrics.gpu', 'percent', { isOptional: true }),
]
