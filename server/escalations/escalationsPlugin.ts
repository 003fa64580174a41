import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import { partsFor } from '../incidents/incidentHooks.ts'
import { seenIncident } from '../incidents/seenIncident.ts'
import type { Log } from '../log.ts'
import { mayAct, ownerAsPerson } from '../person.ts'
import { messagesOf } from '../site/messages.ts'
import { spanText } from '../site/spanText.ts'
import { createDuty } from './duty.ts'
import { createEscalationRuns } from './escalationRuns.ts'
import { createRotaAddresses } from './rotaAddresses.ts'
import { registerRotaRoutes, rotaHooks } from './rotaRoutes.ts'

interface EscalationsOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Escalation plans, which tell people one after the other of incidents, and rotas, which say who is on duty. */
export const escalationsPlugin = fp(
  async (app: FastifyInstance, { store, log, now }: EscalationsOptions) => {
    const { incidents, notifications, acknowledgeLinks, roleOf } = app
    const messages = messagesOf(store)
    const duty = createDuty(store, now)
    const addresses = createRotaAddresses(store)
    const mayOwnerAct = (ownerId: number) => mayAct(ownerId, roleOf)
    app.entityHooks.set('rota', rotaHooks(duty, addresses))
    registerRotaRoutes(app, { store, duty, addresses, mayAct: mayOwnerAct, now })

    const runs = createEscalationRuns({
      store,
      incidents,
      duty,
      mayAct: mayOwnerAct,
      tell({ name, group_id, notifiers }, incident, { kind, ownerId }) {
        const time = spanText(now() - incident.started_at, messages.locale())
        const person = ownerAsPerson(ownerId, roleOf)
        const { title } = seenIncident(incident, partsFor({ store, person }), messages)
        const key = kind === 'lasts' ? 'escalation_unacknowledged' : 'escalation_over'
        notifications.send({
          groupId: group_id,
          receivers: { name, notifications: notifiers },
          incidentId: incident.id,
          message: messages(key, { title, time }),
          ...(kind === 'lasts' && { acknowledge: (id) => acknowledgeLinks.waysOf(incident, id) }),
        })
        notifications.save()
      },
      now,
    })
    incidents.onTick(() => {
      try {
        runs.tick()
      } catch (error) {
        log.error('Escalation plans could not be looked at:', error)
      }
    })
  },
  { name: 'escalations', dependencies: ['entity-hooks', 'security', 'notifications', 'incidents', 'incident-sources'] },
)
