import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { incidentRecord, maxIncidentNote } from '../incidents/incidentRecord.ts'

const note = z.string().trim().max(maxIncidentNote)
const withNote = z.object({ note: note.default('') })
const scopes = ['wheelhouse:incident:write'] as const

/** What people do with incidents. Only where `GET /setting` says `wheelhouse.incidents`. */
export const incidentEndpoints = {
  /**
   * One that has become part of another one is that one, and so is what the calls below are about. HTTP 404 where there is
   * none, and where there is none of which this person may see a part.
   */
  incident: endpoint('GET', 'wheelhouse/incidents/:id', {
    scopes: ['wheelhouse:incident:read'],
    reply: incidentRecord.loose().extend({
      /** As in the call. */
      id: z.int(),
      /** The id of the incident that it has become part of. */
      merged_into: z.int().optional(),
    }),
  }),
  /** Says that somebody is on it: nobody is told again that it lasts. */
  acknowledgeIncident: endpoint('POST', 'wheelhouse/incidents/:id/acknowledge', {
    makesRecord: true,
    scopes,
    body: withNote,
  }),
  unacknowledgeIncident: endpoint('POST', 'wheelhouse/incidents/:id/unacknowledge', { scopes }),
  /** Adds to its diary. */
  noteIncident: endpoint('POST', 'wheelhouse/incidents/:id/note', {
    scopes,
    body: z.object({ note: note.min(1) }),
    makesRecord: true,
  }),
  /** Ends what cannot recover by itself. */
  resolveIncident: endpoint('POST', 'wheelhouse/incidents/:id/resolve', { scopes, body: withNote }),
}
