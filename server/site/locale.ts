import { defaultLocale, knownLocale, type Locale } from '../../i18n/locales.ts'

/** The language of the site, as one of those that the page speaks. */
export const siteLocale = (language: string): Locale => knownLocale(language) ?? defaultLocale

/** The first of our languages that a visitor reads, as the header says; else English. */
export function acceptedLocale(header: string): Locale {
  const wanted = header
    .split(',')
    .map((entry) => {
      const [, tag = '', weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+))?/.exec(entry) ?? []
      return { tag: tag.toLowerCase(), weight: Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  for (const { tag } of wanted) {
    const locale = knownLocale(tag)
    if (locale) return locale
  }
  return defaultLocale
}
