import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Locale } from '../../../i18n/locales.ts'
import type { StatusTexts } from '../texts/statusTexts.ts'

/** The language of the page, and its texts. */
export interface Language {
  locale: Locale
  texts: StatusTexts
}

export const LanguageContext = createContext<Language>({} as Language)

/** @example const { texts, locale } = useLanguage() */
export const useLanguage = (): Language => useContext(LanguageContext)
