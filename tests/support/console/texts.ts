import deDE from '../../../i18n/de-DE/index.ts'
import enUS from '../../../i18n/en-US/index.ts'
import it from '../../../i18n/it/index.ts'
import type { Locale } from '../../../i18n/locales.ts'
import type { TextTree } from '../../../i18n/merge.ts'
import zhCN from '../../../i18n/zh-CN/index.ts'
import zhTW from '../../../i18n/zh-TW/index.ts'

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
  'en-US': flatten(enUS),
  it: flatten(it),
  'zh-CN': flatten(zhCN),
  'zh-TW': flatten(zhTW),
  'de-DE': flatten(deDE),
}

export const english = texts['en-US']

/** The four that are translated. */
export const translations = (Object.keys(texts) as Locale[]).filter((locale) => locale !== 'en-US')
