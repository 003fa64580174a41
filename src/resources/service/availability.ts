/** The checks of a service on one day: how many succeeded and failed. `at` is a time of that day, ms since 1970. */
export interface DayAvailability {
  at: number
  up: number
  down: number
}

/** `none`: nothing was checked on that day. */
export type DayStatus = 'good' | 'mixed' | 'bad' | 'none'

const dayLength = 86_400_000
/** Below this percentage of successful checks a day is `bad`; from there up to 100 it is `mixed`. */
const badBelow = 95

/** The days in a reply of `GET /service`, oldest first; the last one is today. */
export function dailyAvailability(up: readonly number[], down: readonly number[], now: number): DayAvailability[] {
  return up.map((count, index) => ({
    at: now - (up.length - 1 - index) * dayLength,
    up: count,
    down: down[index] ?? 0,
  }))
}

/** Percent of the checks that succeeded; `undefined` without checks. */
export const upPercent = ({ up, down }: Pick<DayAvailability, 'up' | 'down'>): number | undefined =>
  up + down > 0 ? (up / (up + down)) * 100 : undefined

export function dayStatus(day: DayAvailability): DayStatus {
  const percent = upPercent(day)
  if (percent === undefined) return 'none'
  if (day.down === 0) return 'good'
  return percent < badBelow ? 'bad' : 'mixed'
}

/** The checks of all days together. */
export const totalChecks = (days: readonly DayAvailability[]): Pick<DayAvailability, 'up' | 'down'> => ({
  up: days.reduce((sum, { up }) => sum + up, 0),
  down: days.reduce((sum, { down }) => sum + down, 0),
})
