import { byLocale } from '../../i18n/byLocale.ts'
import type { Locale } from '../../i18n/locales.ts'
import type { StatusTexts } from './texts/statusTexts.ts'

/** Each language is a file of its own. */
const files = byLocale(import.meta.glob<StatusTexts>('../../i18n/*/status.json', { import: 'default' }))

/** Fetches the texts of a language. */
export const loadTexts = (locale: Locale): Promise<StatusTexts> => files[locale]()
