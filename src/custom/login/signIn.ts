import { hasSession } from '../../session/token.ts'
import { recordTokenReceipt } from '../../session/tokenAge.ts'
import { sendRequest } from './sendRequest.ts'

/** The result of a sign-in; `serverMessage` has the server's own text. */
export type SignInResult =
  | { kind: 'ok' }
  | { kind: 'wrong' | 'unreachable' | 'noCookie' }
  | { kind: 'blocked'; until?: number }
  | { kind: 'serverMessage'; message: string }

/** Signs in by password; the reply sets the session's cookies. Never rejects. */
export async function signIn(username: string, password: string): Promise<SignInResult> {
  const result = await sendRequest('login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  switch (result.kind) {
    case 'ok':
      recordTokenReceipt()
      return { kind: hasSession() ? 'ok' : 'noCookie' }
    case 'unauthorized':
      return { kind: 'wrong' }
    default:
      return result
  }
}
