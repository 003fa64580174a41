import type { I18nProvider, TranslationMessages } from 'ra-core'
import polyglotI18nProvider from 'ra-i18n-polyglot'
import { isolate } from './isolate.ts'
import { chooseLocale, defaultLocale, type Locale, locales } from './locales.ts'
import { mergeTexts, type TextTree } from './mergeTexts.ts'
import { pluralForm } from './plural.ts'
import { createRefusalText } from './refusalText.ts'
import { loadSignInTexts } from './signInTexts.ts'

/**
 * What the first list says is a part of the console, in English; everything else is fetched: the rest of English with
 * the first part that needs it, another language when it is chosen.
 */
const first = import.meta.glob<TextTree>(
  './en-US/{actions,connection,duration,form,list,names,order,react-admin,server,shell,summary,toasts}.json',
  { eager: true, import: 'default' },
)
const english = mergeTexts({}, ...Object.values(first))

const languages = import.meta.glob<Record<string, TextTree>>('./*/texts.ts', { import: 'default' })

/** All texts of one language, laid over English, and those of signing in, which dialogs show. Rejects when its file cannot be fetched. */
export async function loadTexts(locale: Locale): Promise<TranslationMessages> {
  const [texts] = await Promise.all([languages[`./${locale}/texts.ts`]?.(), loadSignInTexts(locale)])
  // English has react-admin's words, and whatever is laid over it keeps them.
  return mergeTexts(english, ...Object.values(texts ?? {})) as unknown as TranslationMessages
}

/** React-admin's translator, and the way to the texts that are not in the bundle. */
export interface ConsoleI18nProvider extends I18nProvider {
  /** Fetches the texts of parts that are loaded on demand, once. Rejects when that fails, and may be called again. */
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
  let refusalText = createRefusalText(texts)
  const remember = (loaded: TranslationMessages) => {
    refusalText = createRefusalText(loaded)
    return loaded
  }
  const provider = polyglotI18nProvider(
    // Polyglot needs the first language at once; later ones may be promises.
    (code) => {
      const answer = first ?? load(code as Locale).then(remember)
      first = undefined
      return answer
    },
    spoken,
    [...locales],
    { allowMissing: true, pluralRules },
  )
  let isComplete = spoken !== defaultLocale
  return {
    ...provider,
    // What servers answer is shown by the same call.
    translate: (key, options) =>
      (isSentence(key) ? refusalText(key) : undefined) ??
      provider.translate(key, withReadableCounts(withIsolates(options), provider.getLocale())),
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

/** Names that are written from right to left, so that they do not turn the sentence round. */
const withIsolates = (options: Record<string, unknown> | undefined) =>
  options &&
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      // `_` is a text in place of one that is missing.
      typeof value === 'string' && name !== '_' ? isolate(value) : value,
    ]),
  )

/** The names under which texts are given how many there are. Others may be ids, ports and years. */
const counts = ['smart_count', 'count', 'total', 'shown', 'done'] as const

/** Large counts in the notation of the language: 4,294,967 or 4.294.967. Plural rules still read their values. */
function withReadableCounts(options: Record<string, unknown> | undefined, locale: string) {
  const large = counts.filter((name) => typeof options?.[name] === 'number' && options[name] >= 1000)
  if (!options || large.length === 0) return options
  const readable = large.map((name) => {
    const text = new Intl.NumberFormat(locale).format(Number(options[name]))
    return [name, Object.assign(Object(options[name]), { toString: () => text })]
  })
  return { ...options, ...Object.fromEntries(readable) }
}

/** Polyglot's own rules know some languages only. */
const pluralRules = {
  pluralTypes: Object.fromEntries(locales.map(({ locale }) => [locale, (count: number) => pluralForm(locale, count)])),
  pluralTypeToLanguages: Object.fromEntries(locales.map(({ locale }) => [locale, [locale]])),
}

/** Keys are one word of ASCII; sentences have spaces, or are Chinese. */
const isSentence = (text: string) => /[^!-~]/.test(text)

async function firstTexts(locale: Locale, load: typeof loadTexts): Promise<[Locale, TranslationMessages]> {
  if (locale === defaultLocale && load === loadTexts) return [locale, english as unknown as TranslationMessages]
  try {
    return [locale, await load(locale)]
  } catch (cause) {
    console.warn(`The texts for ${locale} could not be loaded; continuing in English.`, cause)
    return [defaultLocale, english as unknown as TranslationMessages]
  }
}
