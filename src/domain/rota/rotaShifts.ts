import { momentOf, zoneOffset } from '../cron/timeZone.ts'
import { readDay, readTimeOfDay, weekdayOf } from '../timeOfDay.ts'

/** Who is on duty when, as the form of a rota has it. */
export interface RotaTimes {
  /** Ids of users, in their turn. */
  people: readonly number[]
  /** 0: the next one takes over every day, 1: every week. */
  handover: number
  /** With a weekly handover, its weekday: 0 is Monday. */
  weekday: number
  /** When they take over, as clocks of the zone show it: `09:00`. */
  handover_at: string
  /** A day of the first one's turn: `2026-12-01`. */
  starts_on: string
  /** Days, the last one included, on which somebody else takes over. Of several, the last one in the list counts. */
  overrides: readonly { from: string; to: string; user_id: number }[]
}

/** A time in which one person is on duty. Times are milliseconds since 1970. */
export interface Shift {
  from: number
  to: number
  user_id: number
  /** Whether it is an exception from the turns. */
  is_override: boolean
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** A week's turn may have begun so many days ago, and end so many days later. */
const turnDays = 8

/**
 * The shifts that touch a time, in their order; days that follow each other with the same person are one. None where
 * there are no people, or the first day is missing.
 * @param from milliseconds since 1970 @param zone of its clocks
 */
export function shiftsBetween(rota: RotaTimes, from: number, to: number, zone: string): Shift[] {
  const minutes = readTimeOfDay(rota.handover_at)
  const firstDay = readDay(rota.starts_on)
  if (minutes === undefined || firstDay === undefined) return []
  const handoverOn = (day: number) => momentOf(zone, day * dayMs + minutes * minuteMs)
  const exceptions = rota.overrides.map(({ from: first, to: last, user_id }) => ({
    first: readDay(first) ?? Number.POSITIVE_INFINITY,
    last: readDay(last) ?? Number.NEGATIVE_INFINITY,
    user_id,
  }))
  const shifts: Shift[] = []
  // The whole of the first and the last turn, so that a shift is the same whenever somebody asks.
  let day = Math.floor((from + zoneOffset(zone, from)) / dayMs) - turnDays
  let begin = handoverOn(day)
  while (begin < to + turnDays * dayMs) {
    const end = handoverOn(day + 1)
    const duty = dutyOn(rota, exceptions, day, firstDay)
    if (duty) addShift(shifts, { from: begin, to: end, ...duty })
    begin = end
    day++
  }
  return shifts.filter((shift) => shift.from < to && shift.to > from)
}

/** Who is on duty at a moment. @param at milliseconds since 1970 @param zone of its clocks */
export const shiftAt = (rota: RotaTimes, at: number, zone: string): Shift | undefined =>
  shiftsBetween(rota, at, at + 1, zone).find((shift) => shift.from <= at && at < shift.to)

function addShift(shifts: Shift[], shift: Shift): void {
  const last = shifts.at(-1)
  const continues = last?.to === shift.from && last.user_id === shift.user_id && last.is_override === shift.is_override
  if (continues) last.to = shift.to
  else shifts.push(shift)
}

/** An override with its days as numbers: each day of the calendar is compared with all of them. */
interface Exception {
  first: number
  last: number
  user_id: number
}

/** Whose day it is: from the handover on this day to the one on the next. */
function dutyOn(
  rota: RotaTimes,
  exceptions: readonly Exception[],
  day: number,
  firstDay: number,
): Pick<Shift, 'user_id' | 'is_override'> | undefined {
  const override = exceptions.findLast(({ first, last }) => first <= day && day <= last)
  if (override) return { user_id: override.user_id, is_override: true }
  const user_id = rota.people.at(turnOn(rota, day, firstDay) % (rota.people.length || 1))
  return user_id === undefined ? undefined : { user_id, is_override: false }
}

/** Which turn a day belongs to: the one with the first day is 0, those before it are negative. */
function turnOn({ handover, weekday }: RotaTimes, day: number, firstDay: number): number {
  if (handover === 0) return day - firstDay
  const weekStart = (of: number) => of - ((weekdayOf(of) - weekday + 7) % 7)
  return (weekStart(day) - weekStart(firstDay)) / 7
}
