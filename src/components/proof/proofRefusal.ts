import type { Locale } from '../../../i18n/locales.ts'
import { signInTexts } from '../../../i18n/signInTexts.ts'
import { type FactorFailure, factorFailures } from '../../schemas/define/factorFailures.ts'

/** The text for a refusal in the server's words; others are shown as they are. */
export function refusalText(words: string, locale: Locale): string {
  const failure = Object.entries(factorFailures).find(([, text]) => text === words)
  return failure ? signInTexts(locale).proof.failures[failure[0] as FactorFailure] : words
}
