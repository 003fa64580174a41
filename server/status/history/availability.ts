import { setImmediate as nextTurn } from 'node:timers/promises'
import { takeTurns } from '../../concurrency/takeTurns.ts'
import { anyId } from '../../db/history/definition.ts'
import type { Series } from '../../db/history/series.ts'
import { dayOf, days, type Samples } from '../../services/history/serviceHistory.ts'

/** A day of a service. */
export interface AvailabilityDay {
  /** In the time zone of this machine: `2026-11-21`. */
  day: string
  /** Share of the checks that were good, from 0 to 1; `null` where none counted. */
  up: number | null
  /** Average of the good checks in milliseconds; `null` where there was none. */
  latency: number | null
  /** For how many minutes the service was down, rounded to whole ones; under half a minute is 0. */
  down_minutes: number
}

/** What a service was like in the last days. */
export interface ServiceAvailability {
  /** The last 90 days, today last. */
  days: readonly AvailabilityDay[]
  /** Share of the good checks of the last 30 and 90 days, from 0 to 1; `null` where none counted. */
  up_30: number | null
  up_90: number | null
}

/** The availability of services by day (docs/decisions/incidents.md). */
export interface Availability {
  /**
   * Of these services, by id. Read and computed at most once a minute for all callers.
   * Checks in maintenance windows count neither as up nor as down.
   * @param services the ids of those that the reader may see
   */
  of(services: readonly number[]): Promise<ReadonlyMap<number, ServiceAvailability>>
}

export const shownDays = 90
const dayMs = 86_400_000
/** Milliseconds for which what was read is not read again. */
const freshMs = 60_000

/** One value for each day, the oldest first: 5,000 services take 15 MB. */
interface DailyValues {
  up: Float64Array
  down: Float64Array
  delay: Float64Array
  downMs: Float64Array
}

/** What was read at a time, and what was computed of it. */
interface Read {
  /** As `dayOf` gives it. */
  today: number
  at: number
  byService: Map<number, DailyValues>
  summaries: Map<number, ServiceAvailability>
}

/** @param now milliseconds since 1970 */
export function createAvailability(
  { days: checks, downtime }: Pick<Samples, 'days' | 'downtime'>,
  now: () => number,
): Availability {
  let read: Read | undefined
  let reading: Promise<Read> | undefined

  /** Past days do not change: yesterday and today are read each minute, all of them once a day. */
  async function refresh(): Promise<Read> {
    const at = now()
    const today = dayOf(at)
    const cached = read?.today === today ? read.byService : undefined
    const byService = cached ?? new Map<number, DailyValues>()
    const first = today - (cached ? 1 : shownDays - 1) * dayMs
    const range = { from: first, until: today + dayMs }
    const indexOf = (day: number) => shownDays - 1 - Math.round((today - day) / dayMs)
    await eachDay(checks, range, ['up', 'down', 'delay'], (day, service, [up, down, delay]) => {
      const values = valuesOf(byService, service)
      const index = indexOf(day)
      values.up[index] = up ?? 0
      values.down[index] = down ?? 0
      values.delay[index] = delay ?? 0
    })
    await eachDay(downtime, range, ['ms'], (day, service, [ms]) => {
      valuesOf(byService, service).downMs[indexOf(day)] = ms ?? 0
    })
    read = { today, at, byService, summaries: new Map() }
    return read
  }

  function current(): Read | Promise<Read> {
    const at = now()
    if (read && read.today === dayOf(at) && Math.abs(at - read.at) < freshMs) return read
    reading ??= refresh().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    async of(services) {
      const { today, byService, summaries } = await current()
      const names = dayNames(today)
      const turn = takeTurns()
      const found = new Map<number, ServiceAvailability>()
      for (const id of services) {
        const summary = summaries.get(id) ?? summarize(byService.get(id) ?? newValues(), names)
        summaries.set(id, summary)
        found.set(id, summary)
        await turn()
      }
      return found
    },
  }
}

/** Calls `visit` with each service and day of a range; others get their turn after each day. */
async function eachDay(
  series: Series,
  range: { from: number; until: number },
  columns: readonly string[],
  visit: (day: number, service: number, sums: readonly (number | null)[]) => void,
): Promise<void> {
  for await (const { at, rows } of series.steps(days, range, anyId, columns)) {
    for (const [service, ...sums] of rows) visit(at, service, sums)
    await nextTurn()
  }
}

function valuesOf(byService: Map<number, DailyValues>, service: number): DailyValues {
  const cached = byService.get(service)
  if (cached) return cached
  const values = newValues()
  byService.set(service, values)
  return values
}

const newValues = (): DailyValues => ({ up: newDays(), down: newDays(), delay: newDays(), downMs: newDays() })
const newDays = () => new Float64Array(shownDays)

const dayNames = (today: number) =>
  Array.from({ length: shownDays }, (_, index) =>
    new Date(today - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  )

function summarize({ up, down, delay, downMs }: DailyValues, names: readonly string[]): ServiceAvailability {
  const at = (values: Float64Array, index: number) => values[index] ?? 0
  const list = names.map((day, index) => ({
    day,
    up: share(at(up, index), at(down, index)),
    latency: at(up, index) > 0 ? at(delay, index) / at(up, index) : null,
    down_minutes: Math.round(at(downMs, index) / 60_000),
  }))
  return { days: list, up_30: shareOfLast(30, up, down), up_90: shareOfLast(shownDays, up, down) }
}

const share = (up: number, down: number) => (up + down > 0 ? up / (up + down) : null)
const shareOfLast = (count: number, up: Float64Array, down: Float64Array) =>
  share(sum(up.subarray(-count)), sum(down.subarray(-count)))
const sum = (values: Float64Array) => values.reduce((total, each) => total + each, 0)
