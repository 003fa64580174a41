import { weekdays } from '../../domain/timeOfDay.ts'

/** A Monday. */
const monday = Date.UTC(2024, 0, 1)

/** The days of the week in a language, from Monday on. */
export function weekdayNames(locale: string) {
  const names = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  return weekdays.map((day, index) => ({ day, name: names.format(monday + index * 86_400_000) }))
}
