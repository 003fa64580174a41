import { type MessageKey, messageText } from '../../i18n/messages.ts'
import type { Store } from '../db/store.ts'
import { siteLocale } from './locale.ts'
import { readSite } from './site.ts'

/** Writes a message to people, in the language that the site has at that moment. */
export type Messages = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string

export const messagesOf =
  (store: Pick<Store, 'value'>): Messages =>
  (key, values) =>
    messageText(siteLocale(readSite(store).language), key, values)
