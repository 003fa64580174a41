import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { incidentEndpoints as endpoints } from '../../src/schemas/endpoints/incidentEndpoints.ts'
import { service } from '../../src/schemas/service.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { parentsIn } from '../machines/dependencies.ts'
import { isAdmin, ownerAsPerson } from '../person.ts'
import { recoveryNoticedMs } from '../services/serviceStatus.ts'
import type { Settings } from '../settings.ts'
import { messagesOf } from '../site/messages.ts'
import { ApiError, bodyReader } from '../wire/apiCall.ts'
import { type AcknowledgeLinks, createAcknowledgeLinks } from './acknowledgeLinks.ts'
import { registerAcknowledgeRoutes } from './acknowledgeRoutes.ts'
import { type Incident, seenIncident } from './incident.ts'
import { incidentHooks, partsFor, visibleIncident } from './incidentHooks.ts'
import { createIncidentMessages, type IncidentMessages } from './incidentMessages.ts'
import { createIncidents, type Incidents } from './incidents.ts'
import { incidentLimits, openIncidentTable } from './incidentTable.ts'
import { createMessageTexts } from './messageTexts.ts'
import { openFlapping, openToldGroups } from './toldGroups.ts'

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
  /** The time by which history is too old, in milliseconds since 1970. */
  retentionNow: () => number
}

/** Puts together what goes wrong, and what people say about it. */
export const incidentsPlugin = fp(
  async (app: FastifyInstance, { store, log, settings: { publicUrl }, now, retentionNow }: IncidentsOptions) => {
    const onFailure = (error: unknown) => log.error('Incidents could not be saved:', error)
    const table = openIncidentTable(store, { onFailure, now: retentionNow })
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

/** What people do with an incident. */
function registerIncidentRoutes(
  app: FastifyInstance,
  { store, incidents }: { store: Store; incidents: Incidents },
): void {
  /** The incident of a request that changes it, for those who may see all of it. */
  function changedBy(request: FastifyRequest<{ Params: { id: number } }>): Incident {
    const { id } = request.params
    const { person } = request
    const incident = incidents.get(id)
    if (!incident?.parts.some(partsFor({ store, person })) && !(incident && isAdmin(person))) throw notFound(id)
    // Whoever says "I am on it" says so for all of it.
    if (!incident.parts.every(partsFor({ store, person }, 'act'))) throw new ApiError('permission denied')
    addAuditDetails(request, { target: `incident ${incident.id}`, detail: auditNames([incident.title]) })
    return incident
  }

  /** The incident of a request that brings a note. @throws ApiError when the diary has no room for it */
  function notedBy(request: FastifyRequest<{ Params: { id: number }; Body: { note: string } }>): Incident {
    const incident = changedBy(request)
    const { note } = request.body
    const written = incident.entries.reduce((sum, { text }) => sum + String(text ?? '').length, 0)
    if (note !== '' && written + note.length > incidentLimits.diary) {
      throw new ApiError('the diary of this incident is full: write this down elsewhere')
    }
    return incident
  }

  const nameOf = ({ person }: FastifyRequest) => person?.username ?? ''

  route(app, 'incident', endpoints.incident, ({ params: { id }, person }) => {
    const incident = incidents.get(id)
    const [isVisible, mayAct] = [partsFor({ store, person }), partsFor({ store, person }, 'act')]
    const row = incident && visibleIncident(incident, isVisible, mayAct)
    if (!row) throw new ApiError(notFound(id).message, 404)
    return { ...row, id, ...(incident.id !== id && { merged_into: incident.id }) }
  })
  const { acknowledgeIncident, noteIncident, resolveIncident } = endpoints
  route(
    app,
    { name: 'acknowledgeIncident', audit: 'incident.acknowledge' },
    acknowledgeIncident,
    bodyReader(acknowledgeIncident),
    (request) => incidents.acknowledge(unresolved(notedBy(request)), nameOf(request), request.body.note),
  )
  route(
    app,
    { name: 'unacknowledgeIncident', audit: 'incident.unacknowledge' },
    endpoints.unacknowledgeIncident,
    (request) => incidents.unacknowledge(unresolved(changedBy(request)), nameOf(request)),
  )
  route(app, { name: 'noteIncident', audit: 'incident.note' }, noteIncident, bodyReader(noteIncident), (request) =>
    incidents.addEntry(notedBy(request), { kind: 'note', name: nameOf(request), text: request.body.note }),
  )
  route(
    app,
    { name: 'resolveIncident', audit: 'incident.resolve' },
    resolveIncident,
    bodyReader(resolveIncident),
    (request) => incidents.resolve(unresolved(notedBy(request)), nameOf(request), request.body.note),
  )
}

const notFound = (id: number) => new ApiError(`incident id ${id} does not exist`)

function unresolved(incident: Incident): Incident {
  if (incident.state === 'resolved') throw new ApiError('the incident is resolved already')
  return incident
}
