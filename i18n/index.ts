import type { I18nProvider, TranslationMessages } from 'ra-core'
import polyglotI18nProvider from 'ra-i18n-polyglot'
import english from './en-US/first.ts'
import { chooseLocale, defaultLocale, type Locale, locales } from './locales.ts'
import { mergeTexts, type TextTree } from './merge.ts'

/** What the first list says in English is in the bundle; all else is fetched: a language when it is chosen. */
const loaders: Record<Locale, () => Promise<TextTree>> = {
  'en-US': () => import('./en-US/index.ts').then((module) => module.default),
  it: () => import('./it/index.ts').then((module) => module.default),
  'zh-CN': () => import('./zh-CN/index.ts').then((module) => module.default),
  'zh-TW': () => import('./zh-TW/index.ts').then((module) => module.default),
  'de-DE': () => import('./de-DE/index.ts').then((module) => module.default),
}

/** All texts of one language, laid over English. Rejects when its chunk cannot be fetched. */
export async function loadTexts(locale: Locale): Promise<TranslationMessages> {
  // English has react-admin's words, and whatever is laid over it keeps them.
  return mergeTexts(english, await loaders[locale]()) as TranslationMessages
}

/** React-admin's translator, and the way to the texts that are not in the bundle. */
export interface ConsoleI18nProvider extends I18nProvider {
  /** Fetches what parts that are fetched on demand say, once. Rejects when it cannot be fetched; ask again then. */
  complete(): Promise<void>
}

/**
 * React-admin's translator, ready in the given language. It never rejects: a first language whose chunk cannot be
 * fetched leaves the console in English, without touching the stored choice. A later `changeLocale` that fails
 * rejects and changes nothing.
 * @param load gives all texts of a language
 */
export async function createI18nProvider(locale: Locale, load = loadTexts): Promise<ConsoleI18nProvider> {
  const [spoken, texts] = await firstTexts(locale, load)
  document.documentElement.lang = spoken
  let first: TranslationMessages | undefined = texts
  const provider = polyglotI18nProvider(
    // The first answer must not be a promise; the rest may be.
    (code) => {
      const answer = first ?? load(code as Locale)
      first = undefined
      return answer
    },
    spoken,
    [...locales],
    { allowMissing: true },
  )
  let isComplete = spoken !== defaultLocale
  return {
    ...provider,
    changeLocale: async (code) => {
      await provider.changeLocale(code)
      isComplete = true
      chooseLocale(code as Locale)
    },
    complete: async () => {
      if (isComplete) return
      await provider.changeLocale(provider.getLocale())
      isComplete = true
    },
  }
}

async function firstTexts(locale: Locale, load: typeof loadTexts): Promise<[Locale, TranslationMessages]> {
  if (locale === defaultLocale && load === loadTexts) return [locale, english as TranslationMessages]
  try {
    return [locale, await load(locale)]
  } catch (cause) {
    console.warn(`The texts for ${locale} could not be loaded; continuing in English.`, cause)
    return [defaultLocale, english as TranslationMessages]
  }
}
