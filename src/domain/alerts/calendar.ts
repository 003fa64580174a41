import { zoneOffset } from '../cron/timeZone.ts'
import { monthsAfter } from '../monthsAfter.ts'

/** When the cycles of a rule begin and end. */
export interface Calendar {
  /** Milliseconds since 1970: the first cycle. */
  start: number
  /** How many units a cycle has. */
  interval: number
  unit: CycleUnit
}

/** A calendar, and the owner of its rule. */
export interface OwnedCalendar {
  calendar: Calendar
  ownerId: number
}

export type CycleUnit = 'hour' | 'day' | 'week' | 'month' | 'year'

/** The unit in a rule. An unknown one, or none, means hours. */
export function cycleUnitOf(text: string | undefined): CycleUnit {
  const unit = text?.toLowerCase()
  return unit === 'day' || unit === 'week' || unit === 'month' || unit === 'year' ? unit : 'hour'
}

/** Start (inclusive) and end (exclusive) of a cycle, in milliseconds since 1970. */
export interface Cycle {
  from: number
  to: number
}

/**
 * The cycle that contains a time. Hours have a fixed length; longer units follow the local time of the zone: a cycle
 * that begins at midnight does so in summer too, and one that begins on the 31st begins on the last day of a shorter
 * month.
 * @param now milliseconds since 1970; a time before the start gives the first cycle
 */
export function cycleAt(calendar: Calendar, now: number, zone: string): Cycle {
  const { start, interval } = calendar
  const step = interval * averageLengthMs[calendar.unit]
  // An estimate that is not too high: units are at least half as long as on average, and only drift by days.
  let number = Math.max(0, Math.floor((now - start) / step) - 1)
  let from = startOf(calendar, number, zone)
  // Averages of months and years can be off by more than one cycle after centuries.
  while (from > now && number > 0) from = startOf(calendar, --number, zone)
  for (;;) {
    const to = startOf(calendar, number + 1, zone)
    if (to > now) return { from, to }
    from = to
    number++
  }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Average length in milliseconds. */
const averageLengthMs: Readonly<Record<CycleUnit, number>> = {
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
  month: 30.436_875 * dayMs,
  year: 365.2425 * dayMs,
}

/** The latest time that `Date` can represent; the end of a cycle that is longer. */
const maxTime = 8.64e15

/** @param number counts cycles from 0 */
function startOf({ start, interval, unit }: Calendar, number: number, zone: string): number {
  const units = interval * number
  if (unit === 'hour') return clampTime(start + units * hourMs)
  const localTime = start + zoneOffset(zone, start)
  return clampTime(timeOfLocal(localTimeAfter(localTime, units, unit), zone))
}

const clampTime = (time: number) => (Math.abs(time) <= maxTime ? time : maxTime)

/** The local time so many units later, in milliseconds as if it were UTC. */
function localTimeAfter(localTime: number, units: number, unit: Exclude<CycleUnit, 'hour'>): number {
  if (unit === 'day') return localTime + units * dayMs
  if (unit === 'week') return localTime + units * 7 * dayMs
  return monthsAfter(localTime, unit === 'year' ? 12 * units : units)
}

/** The time of a local time in the zone: the first one if it occurs twice, and the time after the gap if it is skipped. */
function timeOfLocal(localTime: number, zone: string): number {
  if (!(Math.abs(localTime) <= maxTime - dayMs)) return Number.NaN
  const before = zoneOffset(zone, localTime - dayMs)
  const after = zoneOffset(zone, localTime + dayMs)
  const early = localTime - before
  if (before === after || zoneOffset(zone, early) === before) return early
  const late = localTime - after
  // Skipped: neither offset fits; the earlier offset gives the time just after the gap.
  return zoneOffset(zone, late) === after ? late : early
}
