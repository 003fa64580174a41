import { createHmac, timingSafeEqual } from 'node:crypto'
import { notification } from '../../src/schemas/notification.ts'
import { secretIn } from '../auth/sessions/sealedTokens.ts'
import { usersIn } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Row } from '../entities/entityTable.ts'
import type { AcknowledgeWays } from '../notifications/notifications.ts'
import { mayAct } from '../person.ts'
import type { Messages } from '../site/messages.ts'
import type { Incident } from './incident.ts'
import type { Incidents } from './incidents.ts'

/** Below the address of this server. */
export const acknowledgePath = '/acknowledge'

/** Milliseconds for which a link is good. */
const lifetimeMs = 24 * 3_600_000
/** An incident that began so much later than its link was made is another one with its number. */
const clockToleranceMs = 60_000

/** Why a link is of no use. `gone`: the incident is there no more; `revoked`: its notifier or its owner are not. */
export type LinkProblem = 'invalid' | 'ended' | 'revoked' | 'gone'

export interface AcknowledgeLink {
  incident: Incident
  /** To whom the link was sent. */
  notifier: Row<typeof notification>
}

/** Links by which whoever gets a message about an incident says that they are on it, without a sign-in. */
export interface AcknowledgeLinks {
  /** The link for a message to a notifier: its path, and a line that says what it is for. */
  waysOf(incident: Pick<Incident, 'id'>, notifierId: number): AcknowledgeWays
  /** What a link is about, by the end of its path. */
  read(token: string): AcknowledgeLink | LinkProblem
}

interface Services {
  store: Store
  incidents: Pick<Incidents, 'get'>
  messages: Messages
  /** A user's role; `undefined` when the user no longer exists. */
  roleOf: (id: number) => number | undefined
  publicUrl: URL | undefined
  /** Milliseconds since 1970. */
  now: () => number
}

export function createAcknowledgeLinks(services: Services): AcknowledgeLinks {
  const { store, incidents, messages, roleOf, publicUrl, now } = services
  const notifiers = entityTable(store, notification)
  const users = usersIn(store)
  // In the database: a link from before a restart is good after it.
  const key = secretIn(store, 'acknowledge_link_key')

  /** 160 bits: nobody guesses them within a day. */
  const sign = (facts: string) => createHmac('sha256', key).update(facts).digest().subarray(0, 20)

  /** The incident of that time. @param at milliseconds since 1970 */
  function incidentOf(id: number, at: number): Incident | undefined {
    const found = incidents.get(id)
    return found && found.started_at <= at + clockToleranceMs ? found : undefined
  }

  function pathOf({ id }: Pick<Incident, 'id'>, notifierId: number): string {
    const facts = [id, notifierId, Math.floor((now() + lifetimeMs) / 1000)].map((fact) => fact.toString(36)).join('-')
    return `${acknowledgePath}/${facts}-${sign(facts).toString('hex')}`
  }

  return {
    waysOf(incident, notifierId) {
      const path = pathOf(incident, notifierId)
      return { path, line: publicUrl ? messages('acknowledge_link', { link: publicUrl.origin + path }) : '' }
    },
    read(token) {
      const [, facts = '', signature = ''] =
        /^([\da-z]{1,12}-[\da-z]{1,12}-[\da-z]{1,12})-([\da-f]{40})$/.exec(token) ?? []
      if (!signature || !timingSafeEqual(sign(facts), Buffer.from(signature, 'hex'))) return 'invalid'
      const [incidentId = 0, notifierId = 0, seconds = 0] = facts.split('-').map((fact) => Number.parseInt(fact, 36))
      const endsAt = seconds * 1000
      // A clock that was set back must not make it good for longer.
      if (now() >= endsAt || endsAt - now() > lifetimeMs + clockToleranceMs) return 'ended'
      const notifier = notifiers.get(notifierId)
      if (!notifier || !mayAct(notifier.user_id, roleOf) || users.get(notifier.user_id)?.disabled) return 'revoked'
      const incident = incidentOf(incidentId, endsAt - lifetimeMs)
      return incident ? { incident, notifier } : 'gone'
    },
  }
}
