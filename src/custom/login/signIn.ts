import { fillText } from '../../../i18n/fillText.ts'
import type { Locale } from '../../../i18n/locales.ts'
import type { SignInTexts } from '../../../i18n/signInTexts.ts'
import { fieldsIn, isObject } from '../../schemas/define/values.ts'
import { accountDisabled, blockedFailure, errorPrefix, type Oauth2Failure } from '../../schemas/define/wireNames.ts'
import { type CurrentUser, userFromProfile } from '../../session/currentUser.ts'
import { earlyReply, fetchReply, type ReadReply } from '../../session/earlyReplies.ts'
import { hasSession } from '../../session/token.ts'
import { recordTokenReceipt } from '../../session/tokenAge.ts'

/** The result of a sign-in; `serverMessage` has the server's own text. */
type SignInResult =
  | { kind: 'ok' }
  | { kind: 'wrong' | 'unreachable' | 'noCookie' }
  | Blocked
  | { kind: 'serverMessage'; message: string }
  /** The password was right, and the account has a second factor. */
  | { kind: 'secondFactor'; first: FirstHalf }

/** The first half of a sign-in: a right password, a provider, or nothing when a passkey replaces both. */
export type FirstHalf = { state: string } | { after: 'provider' } | Record<never, never>

/** Signs in by password; the reply sets the session's cookies. Never rejects. */
export async function signIn(username: string, password: string): Promise<SignInResult> {
  const result = await postJson('login', { username, password })
  switch (result.kind) {
    case 'ok':
      return keepSession() ?? { kind: 'ok' }
    case 'unauthorized':
      return { kind: 'wrong' }
    case 'serverMessage': {
      const { state } = fieldsIn(result.data)
      const isHalf = result.message.startsWith(errorPrefix.secondFactor) && typeof state === 'string'
      return isHalf ? { kind: 'secondFactor', first: { state } } : result
    }
    default:
      return result
  }
}

/** Sends a body as JSON. Never rejects. */
const postJson = (path: string, body: object) =>
  sendRequest(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** After a sign-in: notes when the token came, or says that the browser did not keep it. */
export function keepSession(): { kind: 'noCookie' } | undefined {
  recordTokenReceipt()
  return hasSession() ? undefined : { kind: 'noCookie' }
}

/** The result of a request: data, or the reason of the failure. */
type RequestResult =
  | { kind: 'ok'; data: unknown }
  | { kind: 'unauthorized' }
  | Blocked
  | { kind: 'unreachable' }
  /** `data`: what came beside the error. */
  | { kind: 'serverMessage'; message: string; data?: unknown }

/** `until`: ms since 1970 by the browser's clock, if the server says how long. `reason`: of the embedded server. */
interface Blocked {
  kind: 'blocked'
  until?: number
  reason?: unknown
}

/** Sends a request before the console and its API client are loaded. Never rejects. */
export async function sendRequest(path: string, init: RequestInit = {}): Promise<RequestResult> {
  try {
    const isRead = init.method === undefined
    return readResult(await ((isRead && earlyReply(path)) || fetchReply(path, init)))
  } catch {
    return { kind: 'unreachable' }
  }
}

function readResult({ response: reply, text }: ReadReply): RequestResult {
  const body = parse(text)
  // Most servers send blocked addresses a page instead of the API's envelope; other pages come from proxies.
  if (!body) {
    return reply.status === 403
      ? blocked(reply)
      : { kind: 'serverMessage', message: `${reply.status} ${reply.statusText}`.trim() }
  }
  if (reply.ok && body.success === true) return { kind: 'ok', data: body.data }
  if (body.error === blockedFailure) return { ...blocked(reply), reason: fieldsIn(body.data).reason }
  if (typeof body.error !== 'string' || body.error === '') return { kind: 'serverMessage', message: `${reply.status}` }
  return body.error.startsWith(errorPrefix.unauthorized)
    ? { kind: 'unauthorized' }
    : { kind: 'serverMessage', message: body.error, data: body.data }
}

function blocked({ headers }: Response): Blocked {
  const seconds = Number(headers.get('retry-after'))
  return { kind: 'blocked', ...(seconds > 0 && { until: Date.now() + seconds * 1000 }) }
}

function parse(text: string): { success?: unknown; error?: unknown; data?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The status of this browser's session. Only `unauthorized` means that it has ended. */
export type SessionStatus = { kind: 'signedIn'; person: CurrentUser } | Exclude<RequestResult, { kind: 'ok' }>

/**
 * Asks who is signed in. This has to be the first call: a revoked session sent to a public route counts as an attack and
 * blocks the address, while a protected route is safe. Never rejects.
 */
export async function readSessionStatus(): Promise<SessionStatus> {
  const result = await sendRequest('profile')
  if (result.kind !== 'ok') return result
  return { kind: 'signedIn', person: userFromProfile(result.data as Parameters<typeof userFromProfile>[0]) }
}

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
