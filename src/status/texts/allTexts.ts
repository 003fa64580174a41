import type { Locale } from '../../../i18n/locales.ts'
import deDE from './de-DE.ts'
import enUS from './en-US.ts'
import it from './it.ts'
import type { StatusTexts } from './statusTexts.ts'
import zhCN from './zh-CN.ts'
import zhTW from './zh-TW.ts'

/** The texts in all languages, for the server; the page loads those of one language. */
export const pageTexts: Record<Locale, StatusTexts> = {
  'en-US': enUS,
  it,
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'de-DE': deDE,
}
