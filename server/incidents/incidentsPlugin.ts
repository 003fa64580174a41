import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { service } from '../../src/schemas/service.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import { parentsIn } from '../machines/dependencies.ts'
import { ownerAsPerson } from '../person.ts'
import { recoveryNoticedMs } from '../services/serviceStatus.ts'
import type { Settings } from '../settings.ts'
import { messagesOf } from '../site/messages.ts'
import { type AcknowledgeLinks, createAcknowledgeLinks } from './acknowledgeLinks.ts'
import { registerAcknowledgeRoutes } from './acknowledgeRoutes.ts'
import { openFlapping } from './flapping.ts'
import { incidentHooks, partsFor } from './incidentHooks.ts'
import { createIncidentMessages, type IncidentMessages } from './incidentMessages.ts'
import { registerIncidentRoutes } from './incidentRoutes.ts'
import { createIncidents, type Incidents } from './incidents.ts'
import { openIncidentTable } from './incidentTable.ts'
import { createMessageTexts } from './messageTexts.ts'
import { seenIncident } from './seenIncident.ts'
import { openToldGroups } from './toldGroups.ts'

declare module 'fastify' {
  interface FastifyInstance {
    incidents: Incidents
    incidentMessages: IncidentMessages
    acknowledgeLinks: AcknowledgeLinks
  }
}

interface IncidentsOptions {
  store: Store
  log: Pick<Log, 'error'>
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Puts together what goes wrong, and what people say about it. */
export const incidentsPlugin = fp(
  async (app: FastifyInstance, { store, log, settings: { publicUrl }, now }: IncidentsOptions) => {
    const onFailure = (error: unknown) => log.error('Incidents could not be saved:', error)
    const table = openIncidentTable(store, { onFailure, now })
    const messages = messagesOf(store)
    const services = entityTable(store, service)
    const incidents = createIncidents({
      table,
      parentsOf: parentsIn(store),
      noticedWithin({ kind, service_id }) {
        const row = kind === 'outage' ? services.get(service_id) : undefined
        return row ? recoveryNoticedMs(row) : 0
      },
      messages,
      now,
    })
    const { audit, roleOf, snapshots } = app
    const links = createAcknowledgeLinks({ store, incidents, messages, roleOf, publicUrl, now })
    const onMessageFailure = (error: unknown) => log.error('What was told of incidents could not be saved:', error)
    const incidentMessages = createIncidentMessages({
      store,
      incidents,
      notifications: app.notifications,
      toldGroups: openToldGroups(store, { onFailure: onMessageFailure, before: incidents.flush }),
      flapping: openFlapping(store, { onFailure: onMessageFailure, now }),
      texts: createMessageTexts({ messages, publicUrl, now }),
      acknowledgeWays: links.waysOf,
      snapshots: {
        isPending: snapshots.isPending,
        linesFor: ({ user_id }, alarmId) => snapshots.linesFor(ownerAsPerson(user_id, roleOf), alarmId),
      },
      seenBy: ({ user_id }, incident) =>
        seenIncident(incident, partsFor({ store, person: ownerAsPerson(user_id, roleOf) }), messages),
      log,
      now,
    })
    incidents.onTick(incidentMessages.tick)
    app.decorate('incidentMessages', incidentMessages)
    app.decorate('incidents', incidents)
    app.entityHooks.set('incident', incidentHooks(incidents))
    registerIncidentRoutes(app, { store, incidents })
    app.decorate('acknowledgeLinks', links)
    registerAcknowledgeRoutes(app, { store, incidents, links, audit, roleOf })
    const ticks = repeat(incidents.tick, { intervalMs: 1000, log, failure: 'Incidents could not be looked at:' })
    app.addHook('onListen', async () => ticks.start())
    app.addHook('onClose', async () => {
      ticks.stop()
      incidents.flush()
      incidentMessages.flush()
    })
  },
  { name: 'incidents', dependencies: ['entity-hooks', 'security', 'audit', 'notifications', 'snapshots'] },
)
