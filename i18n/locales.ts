/**
 * The languages by their own names, English first, then by the alphabet of their names. The shape is the one that
 * react-admin's menus read.
 */
export const locales = [
  { locale: 'en-US', name: 'English' },
  { locale: 'id', name: 'Bahasa Indonesia' },
  { locale: 'de-DE', name: 'Deutsch' },
  { locale: 'es', name: 'Español' },
  { locale: 'fr', name: 'Français' },
  { locale: 'it', name: 'Italiano' },
  { locale: 'pt-BR', name: 'Português (Brasil)' },
  { locale: 'ro', name: 'Română' },
  { locale: 'ru', name: 'Русский' },
  { locale: 'uk', name: 'Українська' },
  { locale: 'ta', name: 'தமிழ்' },
  { locale: 'ko', name: '한국어' },
  { locale: 'ja', name: '日本語' },
  { locale: 'zh-CN', name: '简体中文' },
  { locale: 'zh-TW', name: '繁體中文' },
] as const

export type Locale = (typeof locales)[number]['locale']

export const defaultLocale: Locale = 'en-US'

const storageKey = 'wheelhouse.locale'

const languageOf = (code: string) => code.split('-')[0]

/**
 * The language of a code, as servers and browsers write it, in any case: `de`, `de-AT` and `de_DE` are `de-DE`, `zh` is
 * the first Chinese that there is.
 */
export function knownLocale(code: string): Locale | undefined {
  const wanted = code.toLowerCase().replaceAll('_', '-').replace(traditionalChinese, 'zh-tw')
  const codes = locales.map(({ locale }) => locale)
  return (
    codes.find((locale) => locale.toLowerCase() === wanted) ??
    codes.find((locale) => languageOf(locale) === languageOf(wanted))
  )
}

/** What is read in Taiwan, Hong Kong and Macau. */
const traditionalChinese = /^zh-(hant|tw|hk|mo)\b.*/

/**
 * The language of the console: the one chosen in this browser, else the site's, else English.
 * @param siteLanguage `language` of the site's settings, where it is known; one that is not among ours is ignored
 */
export function chosenLocale(siteLanguage?: string): Locale {
  const stored = storedLocale()
  if (stored) return stored
  return knownLocale(siteLanguage ?? '') ?? defaultLocale
}

/** Whether somebody has chosen a language in this browser. */
export const hasChosenLocale = () => storedLocale() !== undefined

function storedLocale(): Locale | undefined {
  try {
    const stored = localStorage.getItem(storageKey)
    return locales.find(({ locale }) => locale === stored)?.locale
  } catch {
    // Reading throws where a browser forbids the store: nobody has chosen then.
    return undefined
  }
}

/** Keeps the choice in this browser and tells assistive technology the page's language. */
export function chooseLocale(locale: Locale): void {
  document.documentElement.lang = locale
  try {
    localStorage.setItem(storageKey, locale)
  } catch {
    // A browser without a store forgets the choice at the next visit; nothing else is lost.
  }
}
