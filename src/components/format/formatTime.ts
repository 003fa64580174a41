const formats = new Map<string, Intl.DateTimeFormat>()

function format(locale: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${name}`
  const cached = formats.get(key)
  if (cached) return cached
  const created = new Intl.DateTimeFormat(locale, options)
  formats.set(key, created)
  return created
}

/** A day without its year: 'Nov 21'. @param at ms since 1970 */
export const formatDay = (at: number, locale: string): string =>
  format(locale, 'day', { month: 'short', day: 'numeric' }).format(at)

/** A day of the calendar, which is the same in every time zone. @param at ms since 1970 of its beginning in UTC */
export const formatCalendarDay = (at: number, locale: string): string =>
  format(locale, 'calendar day', { dateStyle: 'medium', timeZone: 'UTC' }).format(at)

const formatTime = (at: number, locale: string) => format(locale, 'time', { timeStyle: 'short' }).format(at)

/** A time in a chart, to the minute: 'Nov 21, 3:05 PM'. */
export const formatChartTime = (at: number, locale: string): string =>
  format(locale, 'moment', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(at)

const day = 86_400_000

/** Labels of a time axis: dates if the ticks are a day or more apart, and at midnight; else times of day. */
export function formatTimeTicks(ticks: readonly number[], interval: number, locale: string): string[] {
  return ticks.map((at) => {
    const date = new Date(at)
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
    return interval >= day || isMidnight ? formatDay(at, locale) : formatTime(at, locale)
  })
}
