import { type Person, personOf } from '../../session/signedInUser.ts'
import { type Answer, ask } from './sendRequest.ts'

/** What became of the session that this browser holds. Only `unauthorized` says that it is over. */
export type Standing = { kind: 'signedIn'; person: Person } | Exclude<Answer, { kind: 'good' }>

/**
 * Asks who is signed in, which has to come before any other call: a revoked session that is sent along to a public
 * route counts as an attack and blocks the address. A protected route is safe to ask. Never rejects.
 */
export async function readStanding(): Promise<Standing> {
  const answer = await ask('profile')
  if (answer.kind !== 'good') return answer
  return { kind: 'signedIn', person: personOf(answer.data as Parameters<typeof personOf>[0]) }
}
