import type { Locale } from '../../i18n/locales.ts'
import { formatNumber } from './numberFormat.ts'

/** The units of a length of time, the longest first; each with its milliseconds. */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/**
 * A length of time in at most two units: '2 hr 5 min', '6 min', '9 sec', in the words of a language.
 * @param ms milliseconds
 */
export function spanText(ms: number, locale: Locale): string {
  const whole = Math.max(0, Math.round(ms / 1000) * 1000)
  const first = units.findIndex(([, length]) => whole >= length)
  const parts = first < 0 ? units.slice(-1) : units.slice(first, first + 2)
  let left = whole
  const texts = parts.flatMap(([unit, length], index) => {
    const count = Math.floor(left / length)
    left -= count * length
    if (count === 0 && index > 0) return []
    return [formatNumber(count, unit, locale)]
  })
  return texts.join(' ')
}
