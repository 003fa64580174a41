import type { ForeignDatabase } from '../../db/foreignDatabase.ts'
import type { MetricsThen } from './importData.ts'
import { objectIn } from './readRows.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** Averages of some minutes, and up to which age they count: there are several for the same time. */
const averages = [
  { type: '1m', upTo: hour },
  { type: '10m', upTo: 12 * hour },
  { type: '20m', upTo: day },
  { type: '120m', upTo: 7 * day },
  { type: '480m', upTo: 31 * day },
] as const

/** Measurements of 1,000 systems. */
const maxRows = 2_000_000
const GiB = 1024 ** 3
const MiB = 1024 ** 2

/** What its systems measured in the last 30 days. @param ids of systems */
export function* beszelHistory(database: ForeignDatabase, ids: ReadonlyMap<string, number>): Generator<MetricsThen> {
  let newest = 0
  for (const row of database.rows('system_stats', ['created'], { limit: maxRows })) {
    newest = Math.max(newest, row.time('created') ?? 0)
  }
  const rows = database.rows('system_stats', ['system', 'type', 'stats', 'created'], { limit: maxRows })
  for (const row of rows) {
    const [at, server, stats] = [row.time('created'), ids.get(row.text('system')), objectIn(row.json('stats'))]
    if (at === undefined || server === undefined || !stats) continue
    const age = newest - at
    const counted = averages.find(({ upTo }) => age < upTo + minute)
    if (counted?.type !== row.text('type')) continue
    const [sent, received] = numbersIn(stats.b)
    const [load_1, load_5, load_15] = numbersIn(stats.la)
    const temperatures = Object.values(objectIn(stats.t) ?? {}).filter((value) => typeof value === 'number')
    yield {
      series: 'metrics',
      server,
      at,
      state: withoutMissing({
        cpu: number(stats.cpu),
        mem_used: number(stats.mu, GiB),
        swap_used: number(stats.su, GiB),
        disk_used: number(stats.du, GiB),
        net_out_speed: sent ?? number(stats.ns, MiB),
        net_in_speed: received ?? number(stats.nr, MiB),
        load_1,
        load_5,
        load_15,
      }),
      temperature: temperatures.length > 0 ? Math.max(...temperatures) : undefined,
    }
  }
}

const isPossible = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 1e18

const number = (value: unknown, unit = 1): number | undefined => (isPossible(value) ? value * unit : undefined)

const numbersIn = (value: unknown): number[] => (Array.isArray(value) && value.every(isPossible) ? value : [])

const withoutMissing = (state: Readonly<Record<string, number | undefined>>): MetricsThen['state'] =>
  Object.fromEntries(Object.entries(state).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
