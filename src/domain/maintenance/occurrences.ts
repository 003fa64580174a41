import { momentOf, zoneOffset } from '../cron/timeZone.ts'
import { readLocalTime, type WindowTimes } from './windowTimes.ts'

/** One time that a window is open, in milliseconds since 1970. */
export interface Occurrence {
  from: number
  to: number
}

const dayMs = 86_400_000
const minuteMs = 60_000
/** Longer than any pause between two openings: a monthly window opens at least once in two months. */
const longestPauseDays = 70
const lastWeek = 5

/**
 * The time during which the window is open at a moment; `undefined` while it is closed.
 * @param at milliseconds since 1970 @param zone the zone of its clocks
 */
export function occurrenceAt(window: WindowTimes, at: number, zone: string): Occurrence | undefined {
  const today = dayOf(at + zoneOffset(zone, at))
  const earliest = today - Math.ceil(window.duration / (24 * 60)) - 1
  for (let day = today + 1; day >= earliest; day--) {
    const occurrence = occurrenceOn(window, day, zone)
    if (occurrence && occurrence.from <= at && at < occurrence.to) return occurrence
  }
  return undefined
}

/**
 * The next times that the window opens after a moment, at most `count`.
 * @param after milliseconds since 1970 @param zone the zone of its clocks
 */
export function nextOccurrences(window: WindowTimes, after: number, zone: string, count: number): Occurrence[] {
  const start = readLocalTime(window.starts_at)
  if (start === undefined) return []
  const found: Occurrence[] = []
  let last = Math.max(dayOf(start), dayOf(after + zoneOffset(zone, after)) - 1)
  for (let day = last; found.length < count && day <= last + longestPauseDays; day++) {
    const occurrence = occurrenceOn(window, day, zone)
    if (!occurrence || occurrence.from <= after) continue
    found.push(occurrence)
    last = day
  }
  return found
}

/** The day of a local time, counted in days since 1970 and without a time zone. */
const dayOf = (shown: number) => Math.floor(shown / dayMs)

function occurrenceOn(window: WindowTimes, day: number, zone: string): Occurrence | undefined {
  const start = readLocalTime(window.starts_at)
  if (start === undefined || !opensOn(window, dayOf(start), day)) return undefined
  const from = momentOf(zone, day * dayMs + (start % dayMs))
  return { from, to: from + window.duration * minuteMs }
}

function opensOn({ repeat, week }: WindowTimes, first: number, day: number): boolean {
  if (day < first) return false
  if (repeat === 0) return day === first
  if (repeat === 1) return true
  if ((day - first) % 7 !== 0) return false
  return repeat === 2 || (repeat === 3 && isInWeek(new Date(day * dayMs), week))
}

function isInWeek(date: Date, week: number): boolean {
  const dayOfMonth = date.getUTCDate()
  if (week !== lastWeek) return Math.ceil(dayOfMonth / 7) === week
  return new Date(date.getTime() + 7 * dayMs).getUTCMonth() !== date.getUTCMonth()
}
