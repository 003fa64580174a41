import { type BacktestResult, createBacktest } from '../../../domain/alerts/backtest.ts'
import type { AlertRulePart } from '../../../domain/alerts/compileAlert.ts'
import type { MetricReport } from '../../../domain/alerts/metricValue.ts'
import { type RecordedMetric, reportOfRecorded } from '../../../domain/alerts/recordedMetrics.ts'

/** What a server measured over some time. */
export interface ServerHistory {
  id: number
  /** For the sizes of memory and disks. */
  host: MetricReport['host']
  /** Averages by metric, oldest first; `ts` in ms since 1970. */
  points: Partial<Record<RecordedMetric, readonly { ts: number; value: number }[]>>
}

export interface PointsBacktest extends BacktestResult {
  /** Seconds between two points. */
  step: number
}

/** Without two points there is no distance between them: real servers average a week over half an hour. */
const defaultStepMs = 1_800_000

/** Tests rules against points that servers have answered with. A time at which no server has one is left out. */
export function backtestPoints(rules: readonly AlertRulePart[], servers: readonly ServerHistory[]): PointsBacktest {
  const length = usualDistance(servers)
  const backtest = createBacktest(rules, length)
  const hosts = new Map(servers.map(({ id, host }) => [id, host]))
  const ids = [...hosts.keys()]
  for (const [at, valuesById] of steps(servers, length)) {
    const reports = new Map([...valuesById].map(([id, values]) => [id, reportOfRecorded(values, hosts.get(id) ?? {})]))
    backtest?.add({ at, length }, ids, reports)
  }
  const result = backtest?.result() ?? { samples: 0, failed: 0, alarms: [], alarms_total: 0 }
  return { ...result, step: Math.round(length / 1000) }
}

type Values = Partial<Record<RecordedMetric, number>>

/** The values of all servers by the time of their step, oldest first. */
function steps(servers: readonly ServerHistory[], length: number): [at: number, valuesById: Map<number, Values>][] {
  const byTime = new Map<number, Map<number, Values>>()
  for (const { id, points } of servers) {
    for (const [metric, list = []] of Object.entries(points)) {
      for (const { ts, value } of list) {
        const at = ts - (ts % length)
        const byId = byTime.get(at) ?? new Map<number, Values>()
        byTime.set(at, byId)
        byId.set(id, { ...byId.get(id), [metric]: value })
      }
    }
  }
  return [...byTime].sort(([one], [other]) => one - other)
}

/** The median of the distances between neighbouring points, in milliseconds. */
function usualDistance(servers: readonly ServerHistory[]): number {
  const distances = servers.flatMap(({ points }) =>
    Object.values(points).flatMap((list) => list.slice(1).map(({ ts }, index) => ts - (list[index]?.ts ?? ts))),
  )
  const sorted = distances.filter((distance) => distance > 0).sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? defaultStepMs
}
