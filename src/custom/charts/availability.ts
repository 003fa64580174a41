/** A day of a service: how many checks went well and how many did not. `at` is a moment of that day, ms since 1970. */
export interface Day {
  at: number
  up: number
  down: number
}

/** How a day went: `none` where nothing was checked. */
export type Health = 'good' | 'mixed' | 'bad' | 'none'

const dayLength = 86_400_000
/** Below this share of good checks a day was a bad one; above it something failed now and then. */
const badBelow = 95

/** The days that `GET /service` tells of, oldest first; today is the last one. */
export function daysOf(up: readonly number[], down: readonly number[], now: number): Day[] {
  return up.map((count, index) => ({
    at: now - (up.length - 1 - index) * dayLength,
    up: count,
    down: down[index] ?? 0,
  }))
}

/** Percent of the checks that went well; nothing where there were none. */
export const upPercent = ({ up, down }: Pick<Day, 'up' | 'down'>): number | undefined =>
  up + down > 0 ? (up / (up + down)) * 100 : undefined

/** How a day went. */
export function healthOf(day: Day): Health {
  const percent = upPercent(day)
  if (percent === undefined) return 'none'
  if (day.down === 0) return 'good'
  return percent < badBelow ? 'bad' : 'mixed'
}

/** All days together. */
export const totalOf = (days: readonly Day[]): Pick<Day, 'up' | 'down'> => ({
  up: days.reduce((sum, { up }) => sum + up, 0),
  down: days.reduce((sum, { down }) => sum + down, 0),
})
