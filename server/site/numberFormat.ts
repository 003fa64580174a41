import type { Locale } from '../../i18n/locales.ts'

/** How numbers in messages are written. */
const styles = {
  percent: { style: 'percent', maximumFractionDigits: 1 },
  oneDecimal: { maximumFractionDigits: 1 },
  twoDecimals: { maximumFractionDigits: 2 },
  day: { style: 'unit', unit: 'day', unitDisplay: 'short' },
  hour: { style: 'unit', unit: 'hour', unitDisplay: 'short' },
  minute: { style: 'unit', unit: 'minute', unitDisplay: 'short' },
  second: { style: 'unit', unit: 'second', unitDisplay: 'short' },
} as const satisfies Record<string, Intl.NumberFormatOptions>

export type NumberStyle = keyof typeof styles

const formats = new Map<string, Intl.NumberFormat>()

/**
 * A number in the words of a language: '97.5%', '6 min'. Making a formatter takes fifty times as long as using it, which
 * is noticed when thousands of alarms begin at once; so each is made once.
 */
export function formatNumber(value: number, style: NumberStyle, locale: Locale): string {
  const key = `${locale} ${style}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale, styles[style])
    formats.set(key, format)
  }
  return format.format(value)
}
