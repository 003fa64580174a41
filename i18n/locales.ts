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

/** Tells whether a code, from a browser's store or a server's setting, is one of the five. */
export const isLocale = (code: unknown): code is Locale => locales.some(({ locale }) => locale === code)

/** The language this browser was told to use, or `undefined` when nobody chose one yet. */
export function storedLocale(): Locale | undefined {
  try {
    const stored = localStorage.getItem(storageKey)
    return isLocale(stored) ? stored : undefined
  } catch {
    // Reading the store throws where a browser forbids it; the default is a good answer then.
    return undefined
  }
}

/** The language to speak: the browser's choice, else English. */
export const chosenLocale = (): Locale => storedLocale() ?? defaultLocale

/** Keeps the choice in this browser and tells assistive technology the page's language. */
export function chooseLocale(locale: Locale): void {
  document.documentElement.lang = locale
  try {
    localStorage.setItem(storageKey, locale)
  } catch {
    // A browser without a store forgets the choice at the next visit; nothing else is lost.
  }
}
