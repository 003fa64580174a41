import type { Locale } from './locales.ts'

/**
 * What `import.meta.glob` has found in the folders of languages, by language.
 * @param files by path: one file of each folder, such as `../../i18n/it/login.json`
 */
export function byLocale<T>(files: Readonly<Record<string, T>>): Record<Locale, T> {
  const found = Object.entries(files).map(([path, file]) => [path.split('/').at(-2), file])
  return Object.fromEntries(found) as Record<Locale, T>
}
