import { defaultLocale, type Locale, locales } from '../../i18n/locales.ts'

/** The language of the site, as one of those that the page speaks. */
export const siteLocale = (language: string): Locale => knownLocale(language) ?? defaultLocale

/** One of the five languages by its code, or by the beginning of it: `de` is `de-DE`, `zh` the first that there is. */
export function knownLocale(code: string): Locale | undefined {
  const lowerCode = code.toLowerCase()
  const codes = locales.map(({ locale }) => locale)
  return (
    codes.find((locale) => locale.toLowerCase() === lowerCode) ??
    codes.find((locale) => locale.toLowerCase().split('-')[0] === lowerCode)
  )
}
