import german from '../../../i18n/bundles/de-DE.ts'
import firstEnglish from '../../../i18n/bundles/en-US.first.ts'
import laterEnglish from '../../../i18n/bundles/en-US.later.ts'
import italian from '../../../i18n/bundles/it.ts'
import simplifiedChinese from '../../../i18n/bundles/zh-CN.ts'
import traditionalChinese from '../../../i18n/bundles/zh-TW.ts'
import { mergeTexts } from '../../../i18n/define/mergeTexts.ts'
import type { TextTree } from '../../../i18n/define/text.ts'
import type { Locale } from '../../../i18n/locales.ts'

/** Texts by their dotted keys, as the translator sees them. */
export type FlatTexts = ReadonlyMap<string, string>

/** `{ app: { list: { retry } } }` as `app.list.retry`. */
export function flatten(tree: TextTree, prefix = ''): FlatTexts {
  const flat = new Map<string, string>()
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') flat.set(prefix + key, value)
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text)
  }
  return flat
}

/** All five languages, flattened. */
export const texts: Record<Locale, FlatTexts> = {
  'en-US': flatten(mergeTexts(firstEnglish, laterEnglish)),
  it: flatten(italian),
  'zh-CN': flatten(simplifiedChinese),
  'zh-TW': flatten(traditionalChinese),
  'de-DE': flatten(german),
}

export const english = texts['en-US']

/** The four that are translated. */
export const translations = (Object.keys(texts) as Locale[]).filter((locale) => locale !== 'en-US')
