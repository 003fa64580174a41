import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { byLocale } from '../../i18n/byLocale.ts'
import type { Locale } from '../../i18n/locales.ts'
import type { StatusTexts } from './statusTexts.ts'

/** The language of the page, and its texts. */
export interface Language {
  locale: Locale
  texts: StatusTexts
}

export const LanguageContext = createContext<Language>({} as Language)

/** @example const { texts, locale } = useLanguage() */
export const useLanguage = (): Language => useContext(LanguageContext)

/** Each language is a file of its own. */
const files = byLocale(import.meta.glob<StatusTexts>('../../i18n/*/status.json', { import: 'default' }))

/** Fetches the texts of a language. */
export const loadTexts = (locale: Locale): Promise<StatusTexts> => files[locale]()
