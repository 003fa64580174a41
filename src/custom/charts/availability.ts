/** A day of a service: how many checks went well and how many did not. `at` is a moment of that day, ms since 1970. */
export interface DayAvailability {
  at: number
  up: number
  down: number
}

/** How a day went: `none` where nothing was checked. */
export type DayStatus = 'good' | 'mixed' | 'bad' | 'none'

const dayLength = 86_400_000
/** Below this share of good checks a day was a bad one; above it something failed now and then. */
const badBelow = 95

/** The days that `GET /service` tells of, oldest first; today is the last one. */
export function dailyAvailability(up: readonly number[], down: readonly number[], now: number): DayAvailability[] {
  return up.map((count, index) => ({
    at: now - (up.length - 1 - index) * dayLength,
    up: count,
    down: down[index] ?? 0,
  }))
}

/** Percent of the checks that went well; nothing where there were none. */
export const upPercent = ({ up, down }: Pick<DayAvailability, 'up' | 'down'>): number | undefined =>
  up + down > 0 ? (up / (up + down)) * 100 : undefined

/** How a day went. */
export function dayStatus(day: DayAvailability): DayStatus {
  const percent = upPercent(day)
  if (percent === undefined) return 'none'
  if (day.down === 0) return 'good'
  return percent < badBelow ? 'bad' : 'mixed'
}

/** All days together. */
export const totalChecks = (days: readonly DayAvailability[]): Pick<DayAvailability, 'up' | 'down'> => ({
  up: days.reduce((sum, { up }) => sum + up, 0),
  down: days.reduce((sum, { down }) => sum + down, 0),
})
