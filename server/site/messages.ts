import type messages from '../../i18n/en-US/messages.json'
import { fillText } from '../../i18n/fillText.ts'
import type { Locale } from '../../i18n/locales.ts'
import type { Store } from '../db/store.ts'
import { readTexts } from '../texts.ts'
import { siteLocale } from './locale.ts'
import { readSite } from './site.ts'

export type MessageKey = keyof typeof messages

const texts = readTexts('messages')

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
