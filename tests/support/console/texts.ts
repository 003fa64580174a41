import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Locale, locales } from '../../../i18n/locales.ts'
import { mergeTexts, type TextTree } from '../../../i18n/mergeTexts.ts'
import { root } from '../root.ts'

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

/** The files of pages that stand alone, and of the server: their keys have no common root. */
export const filesApart = [
  'blocked.json',
  'doctor.json',
  'feed.json',
  'login.json',
  'messages.json',
  'proof.json',
  'status.json',
]

/** The JSON files of a folder, by name. @param folder from the root, such as `i18n/it` */
export const filesIn = (folder: string): Record<string, TextTree> =>
  Object.fromEntries(
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.json'))
      .map((file) => [file, JSON.parse(readFileSync(join(root, folder, file), 'utf8'))]),
  )

/** What the files of a folder say together, as the translator has it. @param folder from the root, such as `i18n/it` */
export const readTexts = (folder: string): TextTree =>
  mergeTexts(
    {},
    ...Object.entries(filesIn(folder)).flatMap(([file, texts]) => (filesApart.includes(file) ? [] : [texts])),
  )

/** The texts of the console in each language, flattened. */
export const texts = Object.fromEntries(
  locales.map(({ locale }) => [locale, flatten(readTexts(`i18n/${locale}`))]),
) as Record<Locale, FlatTexts>

export const english = texts['en-US']

/** What the sign-in page says in a language, flattened. */
export const signInTextsOf = (locale: Locale): FlatTexts =>
  flatten(filesIn(`i18n/${locale}`)['login.json'] ?? {}, 'login.')
