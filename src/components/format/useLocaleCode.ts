import { useLocale } from 'react-admin'
import { defaultLocale, knownLocale, type Locale } from '../../../i18n/locales.ts'

/** The code of the current language, for texts that are not in the translator. */
export const useLocaleCode = (): Locale => knownLocale(useLocale()) ?? defaultLocale
