/** The checks of a service on one day: how many succeeded and failed. `at` is a time of that day, ms since 1970. */
export interface DayAvailability {
  at: number
  up: number
  down: number
}

/** `none`: nothing was checked on that day. */
export type DayStatus = 'good' | 'mixed' | 'bad' | 'none'

const dayLength = 86_400_000
/** From this percentage of successful checks a day is `good`; a check that fails once in a day does not change it. */
const goodFrom = 99.9
/** Below this percentage a day is `bad`; in between it is `mixed`. */
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

/** How a day is drawn, in the console and on the page for visitors. @param percent of the checks that succeeded */
export function dayStatus(percent: number | undefined): DayStatus {
  if (percent === undefined) return 'none'
  if (percent >= goodFrom) return 'good'
  return percent < badBelow ? 'bad' : 'mixed'
}

/** How much of its height the bar of a day is filled, so that it can be told without its colour. */
export const dayHeight: Readonly<Record<DayStatus, number>> = { good: 1, mixed: 0.6, bad: 0.3, none: 0 }

/** The checks of all days together. */
export const totalChecks = (days: readonly DayAvailability[]): Pick<DayAvailability, 'up' | 'down'> => ({
  up: days.reduce((sum, { up }) => sum + up, 0),
  down: days.reduce((sum, { down }) => sum + down, 0),
})
