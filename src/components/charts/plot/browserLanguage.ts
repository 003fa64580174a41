/**
 * A language as `Intl` takes it, which refuses what comes of a POSIX locale: some browsers say `en-US@posix` where the
 * system has the locale `C`.
 */
export function languageTag(language: string): string {
  const [tag = ''] = language.split(/[.@]/)
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0] ?? defaultTag
  } catch {
    return defaultTag
  }
}

const defaultTag = 'en-US'

// uPlot hands it to `Intl` while it is loaded, which would throw: no chart would be drawn.
const { language } = navigator
const tag = languageTag(language)
if (tag !== language) Object.defineProperty(navigator, 'language', { configurable: true, get: () => tag })
