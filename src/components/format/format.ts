import type { TextArgs } from '../../../i18n/fillText.ts'

/** The function that react-admin's `useTranslate` returns. */
export type Translate = (key: string, options?: TextArgs) => string

/** A language: its locale for numbers, and its texts. */
export interface Language {
  locale: string
  translate: Translate
}

const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** The largest unit in which the number is at least 1 after rounding, as a power of 1024. */
function powerOf(bytes: number): number {
  let power = 0
  while (power < sizes.length - 1 && Math.round(bytes / 1024 ** power) >= 1024) power += 1
  return power
}

/** `1503238553` is '1.4 GiB': one decimal below 100, none above, never one for plain bytes. */
export function formatBytes(bytes: number, locale: string): string {
  const power = powerOf(bytes)
  const value = bytes / 1024 ** power
  const digits = power === 0 || value >= 100 ? 0 : 1
  return `${numberFormat(locale, 0, digits).format(value)} ${sizes[power]}`
}

/**
 * Speeds in bytes per second, all in the unit of the fastest, so that they can be compared at a glance.
 * Below 1 KiB/s the unit is KiB/s as well: numbers that change their unit every 2 s cannot be read.
 */
export function formatSpeeds(speeds: readonly number[], locale: string): string[] {
  const power = Math.max(1, powerOf(Math.max(0, ...speeds)))
  return speeds.map((speed) => {
    const value = speed / 1024 ** power
    return `${numberFormat(locale, 1, 1).format(value)} ${sizes[power]}/s`
  })
}

/** `45.2` is '45%', or '45 %' where the language puts a space. @param digits behind the point, at most */
export function formatPercent(percent: number, locale: string, digits = 0): string {
  const make = () => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits })
  return cached(`percent ${locale} ${digits}`, make).format(percent / 100)
}

/** Percent with up to two decimals, rounded down: 99.999 % never becomes 100 %. */
export const formatPercentFloor = (percent: number, locale: string): string =>
  formatPercent(Math.floor(percent * 100 + 1e-6) / 100, locale, 2)

/** A number in the language's notation, with at most two decimals. @param digits behind the point, exactly */
export const formatNumber = (value: number, locale: string, digits?: number): string =>
  numberFormat(locale, digits ?? 0, digits ?? 2).format(value)

/**
 * Date and time, in the browser's time zone.
 * @param at ms since 1970
 * @param timeStyle `short` for what is planned to the minute
 */
export function formatDateTime(at: number, locale: string, timeStyle: 'medium' | 'short' = 'medium'): string {
  const format = () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle })
  return cached(`moment ${locale} ${timeStyle}`, format).format(at)
}

/** The minute of a day: '13:58', in the browser's time zone. @param at ms since 1970 */
export function formatClock(at: number, locale: string): string {
  const format = () => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
  return cached(`clock ${locale}`, format).format(at)
}

const units = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const

/**
 * A duration in its largest units: `11_550` seconds are '3 h 12 min', or '3 h' with one part.
 * A part that is zero is left out.
 */
export function formatDuration(seconds: number, translate: Translate, parts: 1 | 2 = 2): string {
  let rest = Math.max(0, Math.floor(seconds))
  const largest = units.findIndex(([, size]) => rest >= size)
  if (largest < 0) return translate('app.duration.seconds', { count: 0 })
  const texts: string[] = []
  for (const [unit, size] of units.slice(largest, largest + parts)) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count) texts.push(translate(`app.duration.${unit}`, { count }))
  }
  return texts.join(' ')
}

/** The age of a time, both in ms since 1970 by the same clock: 'just now', '3 h ago'. */
export function formatAge(at: number, now: number, translate: Translate): string {
  const seconds = (now - at) / 1000
  if (seconds < 60) return translate('app.duration.just_now')
  return translate('app.duration.ago', { duration: formatDuration(seconds, translate, 1) })
}

const formats = new Map<string, unknown>()

/** Creating an Intl format costs a hundred times as much as using it. */
function cached<T>(key: string, make: () => T): T {
  if (!formats.has(key)) formats.set(key, make())
  return formats.get(key) as T
}

function numberFormat(locale: string, least: number, most: number): Intl.NumberFormat {
  const make = () => new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: most })
  return cached(`number ${locale} ${least} ${most}`, make)
}

/** Units of metrics; `seconds` are durations, and `load` is how many processes want a processor. */
export type MetricUnit = 'ms' | 'percent' | 'bytes' | 'bytesPerSecond' | 'count' | 'load' | 'celsius' | 'seconds'

const unitFormats = new Map<string, Intl.NumberFormat>()

/** A number with a unit of Intl. Formats are cached: creating one costs a hundred times as much as using it. */
function withUnit(value: number, unit: 'millisecond' | 'celsius', locale: string, fixed?: number): string {
  const digits = fixed ?? (Math.abs(value) < 10 && unit === 'millisecond' ? 2 : Math.abs(value) < 100 ? 1 : 0)
  const key = `${locale} ${unit} ${digits} ${fixed}`
  const cached = unitFormats.get(key)
  const format =
    cached ??
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      minimumFractionDigits: fixed,
      maximumFractionDigits: digits,
    })
  if (!cached) unitFormats.set(key, format)
  return format.format(value)
}

/**
 * A metric with its unit: '12.3 ms', '7.2 GiB', '3 d 4 h'.
 * @param digits behind the point, exactly; only of `ms` and `celsius`. Default: as many as the size of the number wants
 */
export function formatMetric(
  value: number,
  unit: MetricUnit,
  { locale, translate }: Language,
  digits?: number,
): string {
  switch (unit) {
    case 'ms':
      return withUnit(value, 'millisecond', locale, digits)
    case 'celsius':
      return withUnit(value, 'celsius', locale, digits)
    case 'percent':
      return formatPercentFloor(value, locale)
    case 'bytes':
      return formatBytes(value, locale)
    case 'bytesPerSecond':
      return formatSpeeds([value], locale)[0] as string
    case 'seconds':
      return formatDuration(value, translate)
    case 'load':
      return formatNumber(value, locale, 2)
    case 'count':
      // An average of whole things: a fraction matters only where there is hardly one of them.
      return formatNumber(value < 10 ? Math.round(value * 10) / 10 : Math.round(value), locale)
  }
}

const timeFormats = new Map<string, Intl.DateTimeFormat>()

function format(locale: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${name}`
  const cached = timeFormats.get(key)
  if (cached) return cached
  const created = new Intl.DateTimeFormat(locale, options)
  timeFormats.set(key, created)
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
