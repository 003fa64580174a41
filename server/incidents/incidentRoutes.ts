import type { FastifyInstance, FastifyRequest } from 'fastify'
import { incidentEndpoints as endpoints } from '../../src/schemas/endpoints/incidentEndpoints.ts'
import type { Store } from '../db/store.ts'
import { addAuditDetails, auditNames, route } from '../http/routes/route.ts'
import { isAdmin } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'
import type { Incident } from './incident.ts'
import { partsFor, visibleIncident } from './incidentHooks.ts'
import type { Incidents } from './incidents.ts'
import { incidentLimits } from './incidentTable.ts'

/** What people do with an incident. */
export function registerIncidentRoutes(
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
