import { zoneOffset } from '../../src/schemas/cron/timeZone.ts'

/** When the cycles of a rule begin and end. */
export interface Calendar {
  /** Milliseconds since 1970: the first cycle. */
  start: number
  /** How many units a cycle has. */
  interval: number
  unit: CycleUnit
}

export type CycleUnit = 'hour' | 'day' | 'week' | 'month' | 'year'

/** A unit as it stands in a rule. One that nobody knows, and none, is hours. */
export function cycleUnitOf(text: string | undefined): CycleUnit {
  const unit = text?.toLowerCase()
  return unit === 'day' || unit === 'week' || unit === 'month' || unit === 'year' ? unit : 'hour'
}

/** Milliseconds since 1970: the first moment of a cycle, and the first one after it. */
export interface Cycle {
  from: number
  to: number
}

/**
 * The cycle that a moment lies in. Hours are hours; longer units follow the clocks of the zone: a cycle that begins at
 * midnight does so in summer too, and one that begins on the 31st begins on the last day of a shorter month.
 * @param now milliseconds since 1970; before the start, it is the first cycle
 */
export function cycleAt(calendar: Calendar, now: number, zone: string): Cycle {
  const { start, interval } = calendar
  const step = interval * roughLength[calendar.unit]
  // Never later than the right one: units are at least as long as half their usual length, and drift by days.
  let number = Math.max(0, Math.floor((now - start) / step) - 1)
  let from = beginOf(calendar, number, zone)
  // The usual length of a month or year is right on average, so one step back can be one too few after centuries.
  while (from > now && number > 0) from = beginOf(calendar, --number, zone)
  for (;;) {
    const to = beginOf(calendar, number + 1, zone)
    if (to > now) return { from, to }
    from = to
    number++
  }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Milliseconds, on average. */
const roughLength: Readonly<Record<CycleUnit, number>> = {
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
  month: 30.436_875 * dayMs,
  year: 365.2425 * dayMs,
}

/** The last moment that dates can say: the end of a cycle that is longer than time. */
const endOfTime = 8.64e15

/** @param number the first cycle is 0 */
function beginOf({ start, interval, unit }: Calendar, number: number, zone: string): number {
  const units = interval * number
  if (unit === 'hour') return clampTime(start + units * hourMs)
  const shown = start + zoneOffset(zone, start)
  return clampTime(momentOf(shownAfter(shown, units, unit), zone))
}

const clampTime = (time: number) => (Math.abs(time) <= endOfTime ? time : endOfTime)

/** What clocks show so many units later, as milliseconds of a day that knows no zone. */
function shownAfter(shown: number, units: number, unit: Exclude<CycleUnit, 'hour'>): number {
  if (unit === 'day') return shown + units * dayMs
  if (unit === 'week') return shown + units * 7 * dayMs
  const date = new Date(shown)
  const months = date.getUTCMonth() + (unit === 'year' ? 12 * units : units)
  const year = date.getUTCFullYear() + Math.floor(months / 12)
  const month = ((months % 12) + 12) % 12
  const first = new Date(0).setUTCFullYear(year, month, 1)
  const lastDay = new Date(new Date(0).setUTCFullYear(year, month + 1, 0)).getUTCDate()
  return first + (Math.min(date.getUTCDate(), lastDay) - 1) * dayMs + (shown - Math.floor(shown / dayMs) * dayMs)
}

/** When clocks of the zone show this: the first time, when they show it twice; after the gap, when they skip it. */
function momentOf(shown: number, zone: string): number {
  if (!(Math.abs(shown) <= endOfTime - dayMs)) return Number.NaN
  const before = zoneOffset(zone, shown - dayMs)
  const after = zoneOffset(zone, shown + dayMs)
  const early = shown - before
  if (before === after || zoneOffset(zone, early) === before) return early
  const late = shown - after
  // Skipped: both miss it; by the older clocks, it is the time just after the gap.
  return zoneOffset(zone, late) === after ? late : early
}
