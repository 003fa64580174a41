import { keysOf } from '../../../src/schemas/define/values.ts'
import type { HistoryPeriod, serverMetrics } from '../../../src/schemas/endpoints/serviceHistory.ts'
import type { IdRange } from '../../db/history/definition.ts'
import type { History } from '../../db/history/openHistory.ts'
import type { Series } from '../../db/history/series.ts'
import type { JudgedState } from '../../machines/judgeReports.ts'
import { type BucketRange, bucketRanges, bucketsOfWeek, tiers } from './periods.ts'

export type Metric = (typeof serverMetrics)[number]

/** Reads a metric from a report; nothing where the machine does not have it, or nothing true is known. */
const metricReaders: Readonly<Record<Metric, (state: JudgedState) => number | null | undefined>> = {
  cpu: ({ cpu }) => cpu,
  memory: ({ mem_used }) => mem_used,
  swap: ({ swap_used }) => swap_used,
  disk: ({ disk_used }) => disk_used,
  net_in_speed: (state) => state.net_in_speed,
  net_out_speed: (state) => state.net_out_speed,
  net_in_transfer: (state) => state.net_in_transfer,
  net_out_transfer: (state) => state.net_out_transfer,
  load1: ({ load_1 }) => load_1,
  load5: ({ load_5 }) => load_5,
  load15: ({ load_15 }) => load_15,
  tcp_conn: ({ tcp_conn_count }) => tcp_conn_count,
  udp_conn: ({ udp_conn_count }) => udp_conn_count,
  process_count: (state) => state.process_count,
  temperature: ({ temperatures = [] }) => highest(temperatures.map(({ Temperature }) => Temperature)),
  uptime: ({ uptime }) => uptime,
  gpu: ({ gpu = [] }) => highest(gpu),
}

const highest = (numbers: readonly number[]) => (numbers.length > 0 ? Math.max(...numbers) : null)

const metrics = keysOf(metricReaders)
const readers = metrics.map((metric) => metricReaders[metric])

/** The column with how many of a bucket's reports had no value of a metric; an average is of the others. */
const missingColumn = (metric: Metric) => `${metric}_missing`

/** @param missing how many of the reports had no value; unknown in buckets that are older than that column */
const averageOf = (sum: number | null | undefined, reports: number | null | undefined, missing: number | null = 0) =>
  reports && sum !== null && sum !== undefined ? sum / (reports - (missing ?? 0)) : null
export const isMetric = (name: string): name is Metric => name in metricReaders

/** The stored metrics of servers, as averages. */
export interface ServerHistory {
  add(server: number, state: JudgedState, at: number): void
  /** Adds what other programs have measured. @param now milliseconds since 1970 */
  addPast(reports: readonly PastReport[], now: number): Promise<void>
  /** @param until milliseconds since 1970 */
  dataPoints(server: number, metric: Metric, period: HistoryPeriod, until: number): Promise<MetricPoint[]>
  /** The averages of the last 60 minutes, the last one now; `null` where nothing was measured. @param until ms since 1970 */
  lastHour(server: number, metric: Metric, until: number): Promise<(number | null)[]>
  /**
   * What servers measured in the last 7 days, in steps of time, oldest first. Each step is read when it is asked for.
   * @param isMany whether steps of hours are enough: see `bucketsOfWeek` @param until milliseconds since 1970
   */
  lastWeek(ids: IdRange, asked: readonly Metric[], until: number, isMany: boolean): MeasuredWeek
  series: Series
}

/** An average; `ts` is in milliseconds since 1970. */
type MetricPoint = {
  ts: number
  value: number
}

/** What a server measured at a time. */
export interface PastReport {
  server: number
  /** Milliseconds since 1970. */
  at: number
  state: JudgedState
}

interface MeasuredWeek {
  /** Seconds; the shortest time that a step stands for. */
  step: number
  steps: AsyncIterable<MeasuredStep>
}

/** Averages of servers over some time. */
interface MeasuredStep {
  /** Milliseconds since 1970, and how long it is. */
  at: number
  length: number
  /** The servers that were online, with their averages in the order of the metrics; `null` where there is none. */
  servers: Iterable<readonly [id: number, averages: (number | null)[]]>
}

const minute = 60_000

export function openServerHistory(history: History): ServerHistory {
  const columns = ['reports', ...metrics, ...metrics.map(missingColumn)]
  const series = history.series({ name: 'server', columns, tiers })
  /** What there is of a metric, with the number of reports and of those without it. */
  const read = async (server: number, metric: Metric, { tier, ...range }: BucketRange) =>
    (await series.ofOne(tier, range, server, 0, ['reports', metric, missingColumn(metric)])).map(
      ({ at, sums: [reports, sum, missing] }) => ({ at, reports, sum, missing }),
    )
  /** What one report adds to the sums. */
  function valuesOf(state: JudgedState): (number | null)[] {
    // Filled place by place: of each report, the lists that spreading makes were a fifth of all garbage.
    const values = new Array<number | null>(columns.length).fill(null)
    values[0] = 1
    for (let place = 0; place < readers.length; place++) {
      const value = readers[place]?.(state) ?? null
      values[1 + place] = value
      if (value === null) values[1 + readers.length + place] = 1
    }
    return values
  }
  return {
    series,
    add: (one, state, at) => series.add({ one, other: 0 }, at, valuesOf(state)),
    addPast: (reports, now) =>
      series.addPast(
        reports.map(({ server, at, state }) => ({ key: { one: server, other: 0 }, at, values: valuesOf(state) })),
        now,
      ),
    async lastHour(server, metric, until) {
      const from = Math.floor(until / minute) * minute - 59 * minute
      const minutes = Array.from({ length: 60 }, () => ({ reports: 0, sum: 0 }))
      for (const { at, reports, sum, missing } of await read(server, metric, { tier: tiers[0], from, until })) {
        const one = minutes[Math.floor((at - from) / minute)]
        if (!one || !reports || sum === null || sum === undefined) continue
        one.reports += reports - (missing ?? 0)
        one.sum += sum
      }
      return minutes.map(({ reports, sum }) => averageOf(sum, reports))
    },
    lastWeek(ids, asked, until, isMany) {
      const { ranges, step } = bucketsOfWeek(until, isMany)
      const read = ranges.flatMap(
        ({ tier, ...range }) =>
          () =>
            series.steps(tier, range, ids, ['reports', ...asked, ...asked.map(missingColumn)]),
      )
      return { step, steps: inSteps(read, step * 1000) }
    },
    async dataPoints(server, metric, period, until) {
      const buckets = await Promise.all(bucketRanges(period, until).map((range) => read(server, metric, range)))
      return buckets.flat().flatMap(({ at, reports, sum, missing }) => {
        const value = averageOf(sum, reports, missing)
        return value === null ? [] : [{ ts: at, value }]
      })
    },
  }
}

/** The sums of each server: its reports, the metrics, and how many of the reports had none of each. */
type Rows = readonly (readonly [id: number, ...sums: (number | null)[]])[]

/** Joins buckets that are shorter than a step: the newest ones, which are not summed up yet. */
async function* inSteps(
  parts: readonly (() => AsyncIterable<{ at: number; length: number; rows: Rows }>)[],
  stepMs: number,
): AsyncIterable<MeasuredStep> {
  let at = Number.NaN
  let length = 0
  let waiting: Rows[] = []
  const joined = () => ({ at, length: Math.max(length, stepMs), servers: averagesOf(waiting) })
  for (const part of parts) {
    for await (const bucket of part()) {
      const start = bucket.at - (bucket.at % stepMs)
      if (waiting.length > 0 && start !== at) {
        yield joined()
        waiting = []
      }
      at = start
      length = bucket.length
      waiting.push(bucket.rows)
    }
  }
  if (waiting.length > 0) yield joined()
}

function* averagesOf(buckets: readonly Rows[]): Iterable<readonly [id: number, averages: (number | null)[]]> {
  const sums = buckets.length === 1 ? (buckets[0] as Rows) : summed(buckets)
  for (const [id, reports, ...columns] of sums) {
    const count = columns.length / 2
    if (reports) yield [id, columns.slice(0, count).map((sum, at) => averageOf(sum, reports, columns[count + at]))]
  }
}

function summed(buckets: readonly Rows[]): Rows {
  const byId = new Map<number, [id: number, ...sums: (number | null)[]]>()
  for (const [id, ...sums] of buckets.flat()) {
    const before = byId.get(id)
    if (!before) byId.set(id, [id, ...sums])
    else
      for (const [index, value] of sums.entries())
        if (value !== null) before[index + 1] = (before[index + 1] ?? 0) + value
  }
  return [...byId.values()]
}
