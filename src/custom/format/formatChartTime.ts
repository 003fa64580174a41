const formats = new Map<string, Intl.DateTimeFormat>()

function format(locale: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${name}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale, options)
  formats.set(key, made)
  return made
}

/** A day without its year: 'Nov 21'. @param at ms since 1970 */
export const formatDay = (at: number, locale: string): string =>
  format(locale, 'day', { month: 'short', day: 'numeric' }).format(at)

const formatTime = (at: number, locale: string) => format(locale, 'time', { timeStyle: 'short' }).format(at)

/** A moment in a chart, to the minute: 'Nov 21, 3:05 PM'. */
export const formatChartTime = (at: number, locale: string): string =>
  format(locale, 'moment', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(at)

const day = 86_400_000

/** What stands at the marks of a time axis: days where they lie a day apart or more, and at midnight; else the time. */
export function formatTimeTicks(ticks: readonly number[], distance: number, locale: string): string[] {
  return ticks.map((at) => {
    const date = new Date(at)
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
    return distance >= day || isMidnight ? formatDay(at, locale) : formatTime(at, locale)
  })
}
