const dayMs = 86_400_000

/**
 * The same time of day so many months later, on the last day of a month that is too short for the day.
 * @param time milliseconds since 1970, as UTC
 */
export function monthsAfter(time: number, count: number): number {
  const date = new Date(time)
  const months = date.getUTCMonth() + count
  const year = date.getUTCFullYear() + Math.floor(months / 12)
  const month = ((months % 12) + 12) % 12
  const first = new Date(0).setUTCFullYear(year, month, 1)
  const lastDay = new Date(new Date(0).setUTCFullYear(year, month + 1, 0)).getUTCDate()
  return first + (Math.min(date.getUTCDate(), lastDay) - 1) * dayMs + (time - Math.floor(time / dayMs) * dayMs)
}
