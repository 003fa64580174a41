/** The five languages by their own names, English first. The shape is the one that react-admin's menus read. */
export const locales = [
  { locale: 'en-US', name: 'English' },
  { locale: 'it', name: 'Italiano' },
  { locale: 'zh-CN', name: '简体中文' },
  { locale: 'zh-TW', name: '繁體中文' },
  { locale: 'de-DE', name: 'Deutsch' },
] as const

export type Locale = (typeof locales)[number]['locale']

export const defaultLocale: Locale = 'en-US'

const storageKey = 'wheelhouse.locale'

const isLocale = (code: unknown): code is Locale => locales.some(({ locale }) => locale === code)

/**
 * The language of the console: the one chosen in this browser, else the site's, else English.
 * @param siteLanguage `language` of the site's settings, where it is known; codes other than the five are ignored
 */
export function chosenLocale(siteLanguage?: string): Locale {
  const stored = storedLocale()
  if (stored) return stored
  return isLocale(siteLanguage) ? siteLanguage : defaultLocale
}

/** Whether somebody has chosen a language in this browser. */
export const hasChosenLocale = () => storedLocale() !== undefined

function storedLocale(): Locale | undefined {
  try {
    const stored = localStorage.getItem(storageKey)
    return isLocale(stored) ? stored : undefined
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
