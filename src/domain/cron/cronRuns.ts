import type { ClockExpression, CronExpression } from './cronExpression.ts'
import { changeBetween, zoneOffset } from './timeZone.ts'

/** Real servers look no further ahead: `0 0 0 30 2 *` never comes. */
const daysAhead = 5 * 366
const dayMs = 86_400_000
const hoursOfDay = 24

/**
 * The first run after a moment, both in milliseconds since 1970; `undefined` when none comes within five years.
 *
 * When clocks are put forward, a run whose time is skipped comes at the moment of the change. When they are put back,
 * a run at a certain hour comes once, in the first of the two; what runs in every hour runs in both.
 *
 * @param zone the server's own zone, for an expression that names none
 */
export function nextRun(expression: CronExpression, after: number, zone: string): number | undefined {
  const from = Math.floor(after / 1000) * 1000 + 1000
  if (expression.kind === 'every') return from - 1000 + expression.seconds * 1000
  return nextByClock(expression, from, expression.zone ?? zone)
}

/** The next runs after a moment, at most `count`. */
export function nextRuns(expression: CronExpression, after: number, zone: string, count: number): number[] {
  const runs: number[] = []
  let last: number | undefined = after
  while (runs.length < count) {
    last = nextRun(expression, last, zone)
    if (last === undefined) break
    runs.push(last)
  }
  return runs
}

/** @param from the first second that counts */
function nextByClock(expression: ClockExpression, from: number, zone: string): number | undefined {
  const offset = zoneOffset(zone, from)
  const shown = nextLocalTime(expression, from + offset)
  if (shown === undefined) return undefined
  const at = shown - offset
  const offsetThen = zoneOffset(zone, at)
  const isHourly = expression.hour.values.length === hoursOfDay
  if (offsetThen !== offset && isHourly) return nextByClock(expression, changeBetween(zone, from, at), zone)
  const moved = shown - offsetThen
  if (offsetThen !== offset && zoneOffset(zone, moved) !== offsetThen) return changeBetween(zone, moved, at)
  if (!isHourly && isRepeatedLocalTime(zone, shown, moved)) return nextByClock(expression, moved + 1000, zone)
  return moved
}

/** Whether clocks that were put back showed the same time a while ago. */
function isRepeatedLocalTime(zone: string, shown: number, at: number): boolean {
  const earlier = zoneOffset(zone, at - dayMs / 4)
  const then = shown - earlier
  return then < at && zoneOffset(zone, then) === earlier
}

/** The next time that clocks must show, as milliseconds of a day that knows no zone. */
function nextLocalTime(expression: ClockExpression, from: number): number | undefined {
  const today = Math.floor(from / dayMs) * dayMs
  for (let day = 0; day <= daysAhead; day++) {
    const midnight = today + day * dayMs
    if (!isDay(expression, new Date(midnight))) continue
    const time = nextTime(expression, Math.max(0, from - midnight) / 1000)
    if (time !== undefined) return midnight + time * 1000
  }
  return undefined
}

/** With both day fields set a day needs to fit only one of them, as everywhere with cron. */
function isDay({ dayOfMonth, month, dayOfWeek }: ClockExpression, date: Date): boolean {
  if (!month.values.includes(date.getUTCMonth() + 1)) return false
  const fits = dayOfMonth.values.includes(date.getUTCDate())
  const fitsWeek = dayOfWeek.values.includes(date.getUTCDay())
  return dayOfMonth.isWildcard || dayOfWeek.isWildcard ? fits && fitsWeek : fits || fitsWeek
}

/** Seconds since midnight, from `least` on. */
function nextTime({ hour, minute, second }: ClockExpression, least: number): number | undefined {
  for (const h of hour.values) {
    if (h * 3600 + 3599 < least) continue
    for (const m of minute.values) {
      if (h * 3600 + m * 60 + 59 < least) continue
      const s = second.values.find((value) => h * 3600 + m * 60 + value >= least)
      if (s !== undefined) return h * 3600 + m * 60 + s
    }
  }
  return undefined
}
