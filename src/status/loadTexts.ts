import type { Locale } from '../../i18n/locales.ts'
import type { StatusTexts } from './texts/statusTexts.ts'

/** Each language is a file of its own. */
const files: Record<Locale, () => Promise<{ default: StatusTexts }>> = {
  'en-US': () => import('./texts/en-US.ts'),
  it: () => import('./texts/it.ts'),
  'zh-CN': () => import('./texts/zh-CN.ts'),
  'zh-TW': () => import('./texts/zh-TW.ts'),
  'de-DE': () => import('./texts/de-DE.ts'),
}

/** Fetches the texts of a language. */
export const loadTexts = async (locale: Locale): Promise<StatusTexts> => (await files[locale]()).default
