import type messages from '../../i18n/en-US/messages.json'
import { fillText } from '../../i18n/fillText.ts'
import { knownLocale, type Locale } from '../../i18n/locales.ts'
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
