import type { I18nProvider, TranslationMessages } from 'ra-core'
import polyglotI18nProvider from 'ra-i18n-polyglot'
import english from './en-US/index.ts'
import { chooseLocale, defaultLocale, type Locale, locales } from './locales.ts'
import { mergeTexts, type TextTree } from './merge.ts'

/** English is in the bundle; each of the others is a chunk of its own, fetched when it is chosen. */
const loaders: Record<Locale, () => TextTree | Promise<TextTree>> = {
  'en-US': () => english,
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

/**
 * React-admin's translator, ready in the given language. It never rejects: a first language whose chunk cannot be
 * fetched leaves the console in English, without touching the stored choice. A later `changeLocale` that fails
 * rejects and changes nothing.
 * @param load gives all texts of a language
 */
export async function createI18nProvider(locale: Locale, load = loadTexts): Promise<I18nProvider> {
  const [spoken, texts] = await firstTexts(locale, load)
  document.documentElement.lang = spoken
  const provider = polyglotI18nProvider(
    // The first answer must not be a promise; the rest may be.
    (code) => (code === spoken ? texts : load(code as Locale)),
    spoken,
    [...locales],
    { allowMissing: true },
  )
  return {
    ...provider,
    changeLocale: async (code) => {
      await provider.changeLocale(code)
      chooseLocale(code as Locale)
    },
  }
}

async function firstTexts(locale: Locale, load: typeof loadTexts): Promise<[Locale, TranslationMessages]> {
  try {
    return [locale, await load(locale)]
  } catch (cause) {
    console.warn(`The texts for ${locale} could not be loaded; continuing in English.`, cause)
    return [defaultLocale, english as TranslationMessages]
  }
}
