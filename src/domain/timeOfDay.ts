const dayMs = 86_400_000

/** The days of a week, the first one first. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** Minutes since midnight of a time as clocks show it, `09:30`; `undefined` for any other text. */
export function readTimeOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

/** The number of a day, `2026-12-24`, since 1970; `undefined` for a text that is none. */
export function readDay(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  // The engine reads some days that do not exist as the days after them.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? at / dayMs : undefined
}

/** The place in `weekdays` of a day by its number since 1970, which began with a Thursday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7
