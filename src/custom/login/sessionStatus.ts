import { type CurrentUser, userFromProfile } from '../../session/currentUser.ts'
import { type RequestResult, sendRequest } from './sendRequest.ts'

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
