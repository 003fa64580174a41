import { fieldsIn } from '../../schemas/define/values.ts'
import { errorPrefix } from '../../schemas/define/wireNames.ts'
import { hasSession } from '../../session/token.ts'
import { recordTokenReceipt } from '../../session/tokenAge.ts'
import { type Blocked, sendRequest } from './sendRequest.ts'

/** The result of a sign-in; `serverMessage` has the server's own text. */
export type SignInResult =
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
export const postJson = (path: string, body: object) =>
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
