import { useLocale, useLocaleState, useTranslate } from 'react-admin'
import { defaultLocale, knownLocale, type Locale } from '../../../i18n/locales.ts'
import type { Language } from './format.ts'

/** The current language. */
export function useLanguage(): Language {
  const [locale] = useLocaleState()
  return { locale, translate: useTranslate() }
}

/** The code of the current language, for texts that are not in the translator. */
export const useLocaleCode = (): Locale => knownLocale(useLocale()) ?? defaultLocale
