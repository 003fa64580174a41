import { momentOf, zoneOffset } from '../cron/timeZone.ts'
import { readTimeOfDay, weekdayOf, weekdays } from '../timeOfDay.ts'

/** When an escalation plan tells people. */
export interface EscalationTimes {
  /** `after_min`: minutes after the incident began; no step has fewer than the one before it. */
  steps: readonly { after_min: number }[]
  /** Minutes after the last step, after which the first one comes again. */
  repeat_min: number
  /** How often all steps come again. */
  repeat_times: number
  /** The days on which people are told; none means every day. */
  days: readonly (typeof weekdays)[number][]
  /** The hours as clocks of the zone show them, `08:00`; empty for the whole day. `to` before `from` is on the next day. */
  from: string
  to: string
}

/** Where a plan is: which step comes next, counted over all repetitions, and when. Milliseconds since 1970. */
export interface EscalationPlace {
  position: number
  due_at: number
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** A week and the days around it: every weekday is among them. */
const daysAhead = 8

/** How late a step may come without moving those after it: a server that is busy, not one that slept. */
const latenessMs = 60_000

/** Which step a position is, and in which round; `undefined` behind the last one. Both begin at 0. */
export function stepAt(plan: EscalationTimes, position: number): { index: number; round: number } | undefined {
  const { length } = plan.steps
  if (length === 0 || position < 0 || position >= length * (plan.repeat_times + 1)) return undefined
  return { index: position % length, round: Math.floor(position / length) }
}

/** The place of a plan whose incident begins at a moment; `undefined` for a plan without steps. @param zone of its hours */
export function firstPlace(plan: EscalationTimes, at: number, zone: string): EscalationPlace | undefined {
  const [first] = plan.steps
  return first && { position: 0, due_at: nextMomentIn(plan, at + first.after_min * minuteMs, zone) }
}

/**
 * The place behind a step that was done at a moment; `undefined` when it was the last. What comes next waits its time
 * from now on where this step was late: a machine that slept over several of them tells people once, and not of all of
 * them at once.
 * @param now milliseconds since 1970 @param zone of its hours
 */
export function placeAfter(
  plan: EscalationTimes,
  { position, due_at }: EscalationPlace,
  now: number,
  zone: string,
): EscalationPlace | undefined {
  const next = position + 1
  if (!stepAt(plan, next)) return undefined
  const base = Math.abs(now - due_at) > latenessMs ? now : due_at
  return { position: next, due_at: nextMomentIn(plan, base + waitBefore(plan, next), zone) }
}

/**
 * The place after the clock was set back, or the plan was changed: nothing waits longer than it would if the step before
 * had been done now. @param now milliseconds since 1970 @param zone of its hours
 */
export function placeAt(plan: EscalationTimes, place: EscalationPlace, now: number, zone: string): EscalationPlace {
  const wait = waitBefore(plan, place.position)
  if (place.due_at - now <= wait) return place
  const latest = nextMomentIn(plan, now + wait, zone)
  return latest < place.due_at ? { ...place, due_at: latest } : place
}

/** Milliseconds between the step before a position, or the beginning, and this one. */
function waitBefore({ steps, repeat_min }: EscalationTimes, position: number): number {
  const index = position % Math.max(1, steps.length)
  if (position > 0 && index === 0) return repeat_min * minuteMs
  return Math.max(0, (steps[index]?.after_min ?? 0) - (steps[index - 1]?.after_min ?? 0)) * minuteMs
}

/** The moment itself, or the next one at which people may be told. @param at milliseconds since 1970 */
export function nextMomentIn({ days, from, to }: EscalationTimes, at: number, zone: string): number {
  const [opens, closes] = [readTimeOfDay(from) ?? 0, readTimeOfDay(to) ?? 0]
  const isWholeDay = opens === closes
  if (isWholeDay && days.length === 0) return at
  const isOn = (day: number) => days.length === 0 || days.some((name) => name === weekdays[weekdayOf(day)])
  const today = Math.floor((at + zoneOffset(zone, at)) / dayMs)
  for (let day = today - 1; day <= today + daysAhead; day++) {
    if (!isOn(day)) continue
    const begin = momentOf(zone, day * dayMs + opens * minuteMs)
    const end = momentOf(zone, (closes <= opens ? day + 1 : day) * dayMs + closes * minuteMs)
    if (at < end) return Math.max(at, begin)
  }
  return at
}
