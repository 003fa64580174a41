/** When a maintenance window is open, as its form has it. */
export interface WindowTimes {
  /** A code of `repeats`. */
  repeat: number
  /** The first day and the time of day at which it opens, as clocks of the zone show them: `2026-12-01T02:00`. */
  starts_at: string
  /** With `monthly`, the week of the month whose weekday it is: 1 to 4, or 5 for the last one. */
  week: number
  /** Minutes that pass, also when clocks are changed meanwhile. */
  duration: number
}

/** How often a window opens. */
export const repeats = { 0: 'once', 1: 'daily', 2: 'weekly', 3: 'monthly' } as const

/** Which of a month's Sundays, Mondays … it is. */
export const weeks = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', 5: 'last' } as const

/** Minutes. A longer window would overlap with the next one. */
export const longestDuration: Readonly<Record<number, number>> = { 0: 20_160, 1: 1_380, 2: 8_640, 3: 20_160 }

/** A time without a zone, in milliseconds; `undefined` for an invalid one, such as the 30th of February. */
export function readLocalTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return undefined
  const shown = Date.parse(`${text}:00Z`)
  // The engine reads some days that do not exist as the days after them.
  return !Number.isNaN(shown) && new Date(shown).toISOString().startsWith(text) ? shown : undefined
}
