import { type Effect, proofBefore } from '../../../src/schemas/define/effects.ts'
import { errorPrefix } from '../../../src/schemas/define/wireNames.ts'
import type { Store } from '../../db/store.ts'
import type { Person } from '../../person.ts'
import { readSite } from '../../site/site.ts'
import { ApiError } from '../../wire/apiCall.ts'
import type { Session, Sessions } from '../sessions/sessions.ts'
import type { SecondFactor } from './secondFactor.ts'

interface Stored {
  store: Store
  secondFactor: SecondFactor
}

const minuteMs = 60_000
/** Minutes, for what is asked of everybody whatever the settings say. */
const strictMinutes = 15

/**
 * Refuses a call when the last proof of who is at the keyboard is too old: a sign-in, or an answer to this refusal. To
 * renew a session is no proof.
 * @param leadsTo what the call can lead to
 * @throws ApiError
 */
export function requireRecentProof(
  { store, secondFactor, sessions }: Stored & { sessions: Sessions },
  { person, session, leadsTo }: { person: Person; session: Session; leadsTo: Effect | undefined },
): void {
  const rule = proofBefore(leadsTo)
  if (!rule) return
  const site = readSite(store)
  const minutes = site.reauthentication_minutes
  const isAsked =
    rule === 'always' || (minutes > 0 && (site.reauthentication_everybody === true || secondFactor.has(person.id)))
  if (!isAsked) return
  const limit = (rule === 'always' && (minutes === 0 || minutes > strictMinutes) ? strictMinutes : minutes) * minuteMs
  const age = sessions.proofAge(session)
  // A stamp from the future, after a clock that jumped back, proves nothing.
  if (age > limit || age < -minuteMs) {
    throw new ApiError(`${errorPrefix.reauthentication}: sign in again to confirm that it is you, then repeat this`)
  }
}

/** Refuses a call of somebody who has to set up a second factor first. @throws ApiError */
export function requireSetup({ store, secondFactor }: Stored, person: Person): void {
  if (readSite(store).require_second_factor !== true || secondFactor.has(person.id)) return
  throw new ApiError(
    `${errorPrefix.setUpSecondFactor}: an administrator requires a second factor: set one up in your profile first`,
  )
}
