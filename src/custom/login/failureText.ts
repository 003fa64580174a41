import type { Locale } from '../../../i18n/locales.ts'
import type { Oauth2Failure } from '../../schemas/define/wireNames.ts'
import type { LoginTexts } from './loginTexts.ts'
import type { RequestResult } from './sendRequest.ts'
import type { SignInResult } from './signIn.ts'

/** Whatever can be in the way of somebody who wants in. */
export type SignInFailure =
  | Exclude<SignInResult, { kind: 'good' }>
  | Exclude<RequestResult, { kind: 'good' | 'unauthorized' }>
  | { kind: 'visit'; code: Oauth2Failure }

interface Words {
  texts: LoginTexts
  locale: Locale
  /** Whether there are other ways to sign in than a password. */
  hasProviders?: boolean
}

/** Says it: in our words, or in the server's. */
export function failureText(failure: SignInFailure, { texts, locale, hasProviders = false }: Words): string {
  switch (failure.kind) {
    case 'said':
      return failure.words
    case 'visit':
      return texts.visit[failure.code]
    case 'wrong':
      return hasProviders ? texts.wrongOrOff : texts.wrong
    case 'blocked':
      return failure.until === undefined
        ? texts.blocked
        : texts.blockedUntil.replace('{{time}}', clockTime(failure.until, locale))
    default:
      return texts[failure.kind]
  }
}

/** To the second, by this browser's clock; with the day when it is another one. */
function clockTime(at: number, locale: Locale): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium', ...(!isToday && { dateStyle: 'medium' }) }).format(at)
}
