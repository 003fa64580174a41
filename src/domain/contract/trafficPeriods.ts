import type { Contract } from '../../schemas/machines/contract.ts'
import { type Cycle, cycleAt } from '../alerts/calendar.ts'
import { zoneOffset } from '../cron/timeZone.ts'

const dayMs = 86_400_000

/** When the traffic of a server is counted anew. */
export type Reset = Pick<Contract, 'resets_on' | 'zone'>

/** The day that a zone's calendars show at a moment, in days since 1970. @param at milliseconds since 1970 */
export const dayIn = (zone: string, at: number): number => Math.floor((at + zoneOffset(zone, at)) / dayMs)

/** A day as `2026-11-21`. @param day days since 1970 */
export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/**
 * The period of traffic that contains a moment, in milliseconds since 1970.
 * @param zone of the server, for a contract that names none
 */
export function periodAt({ resets_on, zone: own }: Reset, now: number, zone: string): Cycle {
  const place = own || zone
  // January has all days, and is before all traffic.
  const first = Date.UTC(2000, 0, resets_on)
  return cycleAt({ start: first - zoneOffset(place, first), interval: 1, unit: 'month' }, now, place)
}

/** So many periods up to the one that contains a moment, the latest first. */
export function periodsUntil(reset: Reset, now: number, zone: string, count: number): Cycle[] {
  const periods: Cycle[] = []
  for (let at = now; periods.length < count; ) {
    const period = periodAt(reset, at, zone)
    periods.push(period)
    at = period.from - 1
  }
  return periods
}
