import { hasSession } from '../../session/token.ts'
import { recordTokenReceipt } from '../../session/tokenAge.ts'
import { sendRequest } from './sendRequest.ts'

/** How a sign-in ended: well, in a way that the form has words for, or with the server's own words. */
export type SignInResult =
  | { kind: 'good' }
  | { kind: 'wrong' | 'unreachable' | 'noCookie' }
  | { kind: 'blocked'; until?: number }
  | { kind: 'said'; words: string }

/** Asks the server to open a session; its cookies come with the reply. Never rejects. */
export async function signIn(username: string, password: string): Promise<SignInResult> {
  const result = await sendRequest('login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  switch (result.kind) {
    case 'good':
      recordTokenReceipt()
      return { kind: hasSession() ? 'good' : 'noCookie' }
    case 'unauthorized':
      return { kind: 'wrong' }
    default:
      return result
  }
}
