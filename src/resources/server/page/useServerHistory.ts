import { useMemo } from 'react'
import { useDataProvider, useGetList, useTranslate } from 'react-admin'
import { isolate } from '../../../../i18n/isolate.ts'
import {
  type ChartDefinition,
  type MeasuredChart,
  type Metric,
  type MetricPoints,
  metricCharts,
} from '../../../components/charts/metricCharts.ts'
import type { ChartBound, ChartSeries, Point, TimeMark } from '../../../components/charts/plot/chartSeries.ts'
import { beginOfPeriod, type ChartPeriod, useHistory } from '../../../components/charts/useHistory.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { useSetting } from '../../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { metricsOfAlarm, recordedMetricsOf } from '../../../domain/alerts/recordedMetrics.ts'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import { everyRowByName, type Row } from '../../../records/queryRows.ts'
import type { alarm } from '../../../schemas/alarm.ts'
import { alertRule } from '../../../schemas/alertRule.ts'
import { allows } from '../../../schemas/define/access.ts'
import { historyEndpoints } from '../../../schemas/endpoints/historyEndpoints.ts'
import type { HistoryPeriod } from '../../../schemas/endpoints/serviceHistory.ts'
import { isWatched } from '../../service/page/coverage.ts'

const noRules: readonly Row<typeof alertRule>[] = []
/** Names before the others are only counted. */
const maxNames = 3

/** The bounds of the rules that watch a server, of all its charts; none for those who may not list rules. */
export function useServerBounds(server: ServerRow): readonly ChartBound[] {
  const { translate } = useLanguage()
  const { identity } = useIdentity()
  const { data: rules = noRules } = useGetList<Row<typeof alertRule>>('alert-rule', everyRowByName, {
    enabled: allows(identity?.role, alertRule.access.list),
  })
  const { id, host } = server
  return useMemo(
    () =>
      serverBounds(rules, Number(id), host ?? {}, {
        names: (names) => {
          const more = names.length - maxNames
          const shown = names.slice(0, maxNames).map(isolate).join(', ')
          return more > 0 ? `${shown}, ${translate('app.list.more', { count: more })}` : shown
        },
        sum: (name) => translate('app.charts.bound.sum', { name }),
      }),
    [rules, id, host, translate],
  )
}

type Rule = Pick<Row<typeof alertRule>, 'name' | 'enable' | 'rules'>
type Host = Pick<NonNullable<ServerRow['host']>, 'mem_total' | 'swap_total' | 'disk_total'>

/** Of a chart, on each side: more lines than these could not be told apart. The tightest are shown. */
const maxBounds = 4

/** The sizes of which rules watch a share, while charts show how much is in use. */
const totals: Readonly<Record<string, keyof Host>> = { memory: 'mem_total', swap: 'swap_total', disk: 'disk_total' }

/** How the names of several rules with the same bound, and of one that watches a sum, are written. */
interface BoundTexts {
  names: (names: readonly string[]) => string
  sum: (name: string) => string
}

/**
 * The bounds of the enabled rules that watch a server, in the units of its charts: percent of what is in use become
 * bytes. Traffic of a cycle has none: no chart shows it.
 */
export function serverBounds(rules: readonly Rule[], id: number, host: Host, texts: BoundTexts): ChartBound[] {
  const found = new Map<string, Omit<ChartBound, 'of'> & { names: string[] }>()
  for (const rule of rules) {
    if (!rule.enable || !isWatched(rule, id)) continue
    for (const part of rule.rules ?? []) {
      const type = String(part.type)
      const about = recordedMetricsOf([type])
      if (type === 'offline' || about.length === 0) continue
      const name = about.length > 1 ? texts.sum(rule.name ?? '') : (rule.name ?? '')
      for (const side of ['max', 'min'] as const) {
        const value = inChartUnit(Number(part[side]), type, host)
        if (value === undefined) continue
        const key = `${about.join()} ${side} ${value}`
        const same = found.get(key) ?? { value, side, about, names: [] }
        found.set(key, { ...same, names: [...new Set([...same.names, name])] })
      }
    }
  }
  return tightest([...found.values()].map(({ names, ...bound }) => ({ ...bound, of: texts.names(names) })))
}

/** `undefined` for none, and for a share of what is not known. */
function inChartUnit(bound: number, type: string, host: Host): number | undefined {
  if (!(bound > 0)) return undefined
  const total = totals[type]
  if (total === undefined) return bound
  const size = host[total]
  return size ? (size * bound) / 100 : undefined
}

/** Upper bounds first, the lowest of them first; then lower ones, the highest first. */
function tightest(bounds: readonly ChartBound[]): ChartBound[] {
  const ordered = bounds.toSorted((one, other) => {
    if (one.side !== other.side) return one.side === 'max' ? -1 : 1
    return one.side === 'max' ? one.value - other.value : other.value - one.value
  })
  const counts = new Map<string, number>()
  return ordered.filter(({ side, about }) => {
    const key = `${side} ${about.join()}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return (counts.get(key) as number) <= maxBounds
  })
}

type Alarm = Row<typeof alarm>

const refreshMs = 30_000
/** The latest alarms; the list of alarms has all of them. */
const maxAlarms = 1000

/** The alarms of a server that ran in the period; none where the console server keeps no alarm history. */
export function useServerAlarms(id: number, period: ChartPeriod): readonly Alarm[] {
  const hasAlarms = useSetting()?.wheelhouse?.alarms === true
  const { data } = useGetList<Alarm>(
    'alarm',
    { filter: { server_id: id }, pagination: { page: 1, perPage: maxAlarms } },
    { enabled: hasAlarms, refetchInterval: refreshMs },
  )
  return useMemo(() => {
    const from = beginOfPeriod(period, Date.now())
    return (data ?? []).filter(({ ended_at }) => ended_at === undefined || Date.parse(ended_at) >= from)
  }, [data, period])
}

/** Alarms as marks in the charts of what they are about; a running one lasts until the end of them. */
export const alarmMarks = (alarms: readonly Alarm[]): TimeMark[] =>
  alarms.map(({ started_at = '', ended_at, rule_name = '', causes = [] }) => ({
    kind: 'alarm',
    from: Date.parse(started_at),
    to: ended_at === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(ended_at),
    text: rule_name,
    about: metricsOfAlarm(causes.map(({ type }) => type)),
  }))

/** All metrics of a server over a period: one answer for all charts, so that they are drawn, and drawn anew, at once. */
export function useServerHistory(id: number, period: ChartPeriod) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, ...history } = useHistory(['server', id, 'metrics'], period, (asked) =>
    readMetrics(call, id, everyMetric, asked),
  )
  const charts = useMemo(
    (): MeasuredChart[] =>
      metricCharts.map((chart) => ({
        chart,
        series: chart.lines.map(({ metric, key, args }) => ({
          key: metric,
          name: translate(key, args),
          points: data?.[metric] ?? [],
        })),
      })),
    [data, translate],
  )
  return { ...history, charts, isLoaded: data !== undefined, isAbsent: data === null }
}

const everyMetric = metricCharts.flatMap(({ lines }) => lines.map(({ metric }) => metric))

/** The lines of one chart for another server; none without one. Their keys are not those of the first server. */
export function useOtherServer(id: number | undefined, chart: ChartDefinition, period: ChartPeriod) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const metrics = chart.lines.map(({ metric }) => metric)
  const subject = id === undefined ? undefined : ['server', id, 'metrics', metrics]
  const { data, ...history } = useHistory(subject, period, async (asked) => ({
    id,
    points: await readMetrics(call, id as number, metrics, asked),
  }))
  // While another one loads, the lines of the one before are not passed off as its own.
  const points = id !== undefined && data?.id === id ? data.points : undefined
  const series = useMemo(
    () =>
      points &&
      chart.lines.map(
        ({ metric, key, args }): ChartSeries => ({
          key: `${metric} of ${id}`,
          name: translate(key, args),
          points: points[metric] ?? [],
        }),
      ),
    [points, chart, id, translate],
  )
  return { ...history, series }
}

type Call = ConsoleDataProvider['call']

/**
 * Asks for metrics of a server. One that does not know one of them has the others all the same.
 * @throws when it has none of them
 */
export async function readMetrics(
  call: Call,
  id: number,
  metrics: readonly Metric[],
  period: HistoryPeriod,
): Promise<MetricPoints> {
  const answers = await Promise.allSettled(
    metrics.map((metric) => call(historyEndpoints.serverMetric, { id, metric, period })),
  )
  if (answers.every(({ status }) => status === 'rejected')) throw (answers[0] as PromiseRejectedResult).reason
  const points: MetricPoints = {}
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'rejected') continue
    points[metrics[index] as Metric] = answer.value.data_points.map(({ ts, value }) => ({ at: ts, value }))
  }
  return points
}

/** The response times of the services that a server checks, a line for each. */
export function useServerServices(id: number, period: ChartPeriod) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, ...history } = useHistory(
    ['server', id, 'services'],
    period,
    (asked) => call(historyEndpoints.serverServices, { id, period: asked }),
    () => call(historyEndpoints.serverServicesBefore, { id }),
  )
  const series = useMemo(
    (): ChartSeries[] =>
      [...(data ?? [])]
        .sort((one, other) => other.display_index - one.display_index || one.monitor_id - other.monitor_id)
        .map(({ monitor_id, monitor_name, created_at, avg_delay }) => ({
          key: String(monitor_id),
          name: monitor_name || `#${monitor_id}`,
          points: created_at.map((at, index): Point => {
            const value = avg_delay[index]
            return value ? { at, value } : { at, value: null, failed: true }
          }),
        })),
    [data],
  )
  return { ...history, series }
}
