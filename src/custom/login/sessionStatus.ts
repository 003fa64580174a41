import { type CurrentUser, userFromProfile } from '../../session/currentUser.ts'
import { type RequestResult, sendRequest } from './sendRequest.ts'

/** What became of the session that this browser holds. Only `unauthorized` says that it is over. */
export type SessionStatus = { kind: 'signedIn'; person: CurrentUser } | Exclude<RequestResult, { kind: 'good' }>

/**
 * Asks who is signed in, which has to come before any other call: a revoked session that is sent along to a public
 * route counts as an attack and blocks the address. A protected route is safe to sendRequest. Never rejects.
 */
export async function readSessionStatus(): Promise<SessionStatus> {
  const result = await sendRequest('profile')
  if (result.kind !== 'good') return result
  return { kind: 'signedIn', person: userFromProfile(result.data as Parameters<typeof userFromProfile>[0]) }
}
