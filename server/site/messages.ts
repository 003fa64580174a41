import type messages from '../../i18n/en-US/messages.json'
import { fillText } from '../../i18n/fillText.ts'
import { isolate } from '../../i18n/isolate.ts'
import { knownLocale, type Locale } from '../../i18n/locales.ts'
import { consolePath } from '../../src/schemas/consolePath.ts'
import type { Store } from '../db/store.ts'
import { readTexts } from '../texts.ts'
import { siteLocale } from './locale.ts'
import { readSite } from './site.ts'

export type MessageKey = keyof typeof messages

const texts = readTexts('messages')

/** A message in the language of who sends it; in that of the site where its code is none of ours. */
export function messageIn(
  store: Pick<Store, 'value'>,
  language: string,
  key: MessageKey,
  values: Readonly<Record<string, string | number>>,
): string {
  return fillText(texts[knownLocale(language) ?? siteLocale(readSite(store).language)][key], values)
}

/** Writes a message to people, in the language that the site has at that moment. */
export interface Messages {
  (key: MessageKey, values?: Readonly<Record<string, string | number>>): string
  /** That language. */
  locale(): Locale
}

export function messagesOf(store: Pick<Store, 'value'>): Messages {
  const locale = () => siteLocale(readSite(store).language)
  const write = (key: MessageKey, values: Readonly<Record<string, string | number>> = {}) =>
    fillText(texts[locale()][key], values)
  return Object.assign(write, { locale })
}

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

/**
 * Names in a message: the first ones, and how many there are beside them.
 * @param most that are written out
 * @param nameOf called for these alone: of thousands, few are
 */
export function namesText<One>(
  messages: Messages,
  all: readonly One[],
  most: number,
  nameOf: (one: One) => string,
): string {
  const names = all
    .slice(0, most)
    .map((one) => isolate(nameOf(one)))
    .join(', ')
  const more = all.length - most
  return more > 0 ? messages('names_and_more', { names, more }) : names
}

/**
 * The address of a page of the console for a message; '' where it is not known by which address people come.
 * @param publicUrl the address people use
 * @param page below the console: 'incident/7/overview'
 */
export const consoleLink = (publicUrl: URL | undefined, page: string): string =>
  publicUrl ? `${publicUrl.origin}${consolePath}/${page}` : ''
