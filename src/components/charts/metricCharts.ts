import type { TextArgs } from '../../../i18n/fillText.ts'
import type { serverMetrics } from '../../schemas/endpoints/serviceHistory.ts'
import type { MetricUnit } from '../format/format.ts'
import type { ServerRow } from '../serverMetrics.ts'
import type { ChartSeries, Point } from './plot/chartSeries.ts'

/** A text with its arguments. */
interface Label {
  key: string
  args?: TextArgs
}

export type Metric = (typeof serverMetrics)[number]

/** What was measured of a server, as far as it was asked for. */
export type MetricPoints = Partial<Record<Metric, readonly Point[]>>

interface MetricLine extends Label {
  metric: Metric
}

/** Metrics of a server that are drawn in one chart. */
export interface ChartDefinition extends Label {
  lines: readonly MetricLine[]
  unit: MetricUnit
  /** The highest possible value on this machine. */
  most?: (server: ServerRow) => number | undefined
  /** Not every machine reports it. */
  isOptional?: true
}

type Options = Pick<ChartDefinition, 'most' | 'isOptional'>

/** A chart with one line, which has the name of the chart. */
const singleLine = (
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

/** What names a chart in an address: its first metric. */
export const chartId = ({ lines }: Pick<ChartDefinition, 'lines'>): string => lines[0]?.metric ?? ''

/** The charts of a server, in the order of the select box. */
export const metricCharts: readonly ChartDefinition[] = [
  singleLine('cpu', 'resources.server.columns.cpu', 'percent'),
  singleLine('memory', 'resources.server.columns.memory', 'bytes', { most: ({ host }) => host?.mem_total }),
  singleLine('swap', 'resources.server.columns.swap', 'bytes', {
    most: ({ host }) => host?.swap_total,
    isOptional: true,
  }),
  singleLine('disk', 'resources.server.columns.disk', 'bytes', { most: ({ host }) => host?.disk_total }),
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
    unit: 'load',
  },
  {
    key: 'app.charts.metrics.connections',
    lines: [
      { metric: 'tcp_conn', key: 'app.charts.metrics.tcp' },
      { metric: 'udp_conn', key: 'app.charts.metrics.udp' },
    ],
    unit: 'count',
  },
  singleLine('process_count', 'app.charts.metrics.processes', 'count'),
  singleLine('temperature', 'app.charts.metrics.temperature', 'celsius', { isOptional: true }),
  singleLine('uptime', 'resources.server.columns.uptime', 'seconds'),
  singleLine('gpu', 'app.charts.metrics.gpu', 'percent', { isOptional: true }),
]

/** A chart with the lines that a server has of it. */
export interface MeasuredChart {
  chart: ChartDefinition
  series: readonly ChartSeries[]
}

/** The charts of the metrics that were asked for, with their lines. */
export const measuredCharts = (
  points: MetricPoints,
  translate: (key: string, args?: TextArgs) => string,
): MeasuredChart[] =>
  metricCharts.flatMap((chart) => {
    const series = chart.lines.flatMap(({ metric, key, args }): ChartSeries[] => {
      const measured = points[metric]
      return measured ? [{ key: metric, name: translate(key, args), points: measured }] : []
    })
    return series.length > 0 ? [{ chart, series }] : []
  })
