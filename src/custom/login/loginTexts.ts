import { byLocale } from '../../../i18n/byLocale.ts'
import type login from '../../../i18n/en-US/login.json'

/** The texts of the sign-in page, which is shown before the console's own texts are loaded. */
export type LoginTexts = typeof login

export const texts = byLocale(
  import.meta.glob<LoginTexts>('../../../i18n/*/login.json', { eager: true, import: 'default' }),
)
