import { byLocale } from '../../../i18n/byLocale.ts'
import type proof from '../../../i18n/en-US/proof.json'
import type { Locale } from '../../../i18n/locales.ts'
import { type FactorFailure, factorFailures } from '../../schemas/define/factorFailures.ts'

/** The texts of the proof form. Apart from the console's: the sign-in page shows it before those are loaded. */
export const proofTexts = byLocale(
  import.meta.glob<typeof proof>('../../../i18n/*/proof.json', { eager: true, import: 'default' }),
)

/** The text for a refusal in the server's words; others are shown as they are. */
export function refusalText(words: string, locale: Locale): string {
  const failure = Object.entries(factorFailures).find(([, text]) => text === words)
  return failure ? proofTexts[locale].failures[failure[0] as FactorFailure] : words
}
