import { formatBytes, formatDuration, formatNumber, formatSpeeds } from './format.ts'
import type { Language } from './useLanguage.ts'

/** What figures are counted in. `seconds` are lengths of time, `celsius` degrees. */
export type MetricUnit = 'ms' | 'percent' | 'bytes' | 'bytesPerSecond' | 'count' | 'celsius' | 'seconds'

const inUnit = new Map<string, Intl.NumberFormat>()

/** A number with a unit that the browser knows. Making an Intl format costs a hundred times as much as using it. */
function withUnit(value: number, unit: 'millisecond' | 'celsius', locale: string): string {
  const digits = Math.abs(value) < 10 && unit === 'millisecond' ? 2 : Math.abs(value) < 100 ? 1 : 0
  const key = `${locale} ${unit} ${digits}`
  const known = inUnit.get(key)
  const format =
    known ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits })
  if (!known) inUnit.set(key, format)
  return format.format(value)
}

const percents = new Map<string, Intl.NumberFormat>()

/** Percent with up to two decimals, cut off: what failed once is never told to be 100 %. */
export function formatPercentFloor(percent: number, locale: string): string {
  const known = percents.get(locale)
  const format = known ?? new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  if (!known) percents.set(locale, format)
  return format.format(Math.floor(percent * 100 + 1e-6) / 10_000)
}

/** A figure as a person reads it: '12.3 ms', '7.2 GiB', '3 d 4 h'. */
export function formatMetric(value: number, unit: MetricUnit, { locale, translate }: Language): string {
  switch (unit) {
    case 'ms':
      return withUnit(value, 'millisecond', locale)
    case 'celsius':
      return withUnit(value, 'celsius', locale)
    case 'percent':
      return formatPercentFloor(value, locale)
    case 'bytes':
      return formatBytes(value, locale)
    case 'bytesPerSecond':
      return formatSpeeds([value], locale)[0] as string
    case 'seconds':
      return formatDuration(value, translate)
    case 'count':
      return formatNumber(value, locale)
  }
}

/** Distances between the lines of a scale: whole KiB and MiB for bytes, whole hours and days for lengths of time. */
export function axisSteps(unit: MetricUnit): number[] | undefined {
  if (unit === 'bytes' || unit === 'bytesPerSecond') return Array.from({ length: 52 }, (_, power) => 2 ** power)
  if (unit === 'seconds') {
    const [minute, hour, day] = [60, 3600, 86_400]
    return [
      ...[10, 30, minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour],
      ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000].map((days) => days * day),
    ]
  }
  return undefined
}

/** Where a scale of percents may end: a processor that does little is no flat line. */
const percentTops = [10, 25, 50, 100]

/**
 * From zero to a little above the highest figure.
 * @param most what the figure can be at most, where that is known: the scale ends there
 */
export function axisRange(highest: number, unit: MetricUnit, most?: number): [number, number] {
  if (most && most >= highest) return [0, most]
  if (unit === 'percent') return [0, percentTops.find((top) => top >= highest) ?? highest * 1.1]
  return [0, highest > 0 ? highest * 1.1 : 1]
}
