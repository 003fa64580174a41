import { formatBytes, formatDuration, formatNumber, formatPercentFloor, formatSpeeds } from './format.ts'
import type { Language } from './useLanguage.ts'

/** Units of metrics; `seconds` are durations. */
export type MetricUnit = 'ms' | 'percent' | 'bytes' | 'bytesPerSecond' | 'count' | 'celsius' | 'seconds'

const unitFormats = new Map<string, Intl.NumberFormat>()

/** A number with a unit of Intl. Formats are cached: creating one costs a hundred times as much as using it. */
function withUnit(value: number, unit: 'millisecond' | 'celsius', locale: string): string {
  const digits = Math.abs(value) < 10 && unit === 'millisecond' ? 2 : Math.abs(value) < 100 ? 1 : 0
  const key = `${locale} ${unit} ${digits}`
  const cached = unitFormats.get(key)
  const format =
    cached ??
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits })
  if (!cached) unitFormats.set(key, format)
  return format.format(value)
}

/** A metric with its unit: '12.3 ms', '7.2 GiB', '3 d 4 h'. */
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
