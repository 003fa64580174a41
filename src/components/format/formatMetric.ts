import { formatBytes, formatDuration, formatNumber, formatPercentFloor, formatSpeeds } from './format.ts'
import type { Language } from './useLanguage.ts'

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
