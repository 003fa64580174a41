import { fillText } from '../../../i18n/fillText.ts'
import type { Locale } from '../../../i18n/locales.ts'
import type { SignInTexts } from '../../../i18n/signInTexts.ts'
import { accountDisabled, type Oauth2Failure } from '../../schemas/define/wireNames.ts'
import type { RequestResult } from './sendRequest.ts'
import { postJson, type SignInResult } from './signIn.ts'

/** The reasons why a sign-in can fail. */
export type SignInFailure =
  | Exclude<SignInResult, { kind: 'ok' | 'secondFactor' }>
  | Exclude<RequestResult, { kind: 'ok' | 'unauthorized' }>
  | { kind: 'oauth2'; code: Oauth2Failure }

interface TextArgs {
  texts: SignInTexts['login']
  locale: Locale
  /** Whether people can also sign in at providers. */
  hasProviders?: boolean
}

/** The text of a failure: the console's or the server's. */
export function failureText(failure: SignInFailure, { texts, locale, hasProviders = false }: TextArgs): string {
  switch (failure.kind) {
    case 'serverMessage':
      return failure.message === accountDisabled ? texts.disabled : failure.message
    case 'oauth2':
      return failure.code === 'disabled' ? texts.disabled : texts.oauth2Failures[failure.code]
    case 'wrong':
      return hasProviders ? texts.wrongOrOff : texts.wrong
    case 'blocked':
      if (failure.reason === 'by-admin') return texts.blockedByAdmin
      if (failure.until === undefined) return texts.blocked
      return fillText(failure.reason === 'account' ? texts.accountBlockedUntil : texts.blockedUntil, {
        time: clockTime(failure.until, locale),
      })
    default:
      return texts[failure.kind]
  }
}

/**
 * Sends a body as JSON for a step of the sign-in. Never rejects.
 * @returns the data of the reply, or the words of what went wrong
 */
export async function postInWords(path: string, body: object, args: TextArgs) {
  const result = await postJson(path, body)
  if (result.kind === 'ok') return { data: result.data }
  return { words: failureText(result.kind === 'unauthorized' ? { kind: 'wrong' } : result, args) }
}

/** Time to the second, in the browser's time zone; with the date if it is not today. */
function clockTime(at: number, locale: Locale): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium', ...(!isToday && { dateStyle: 'medium' }) }).format(at)
}
