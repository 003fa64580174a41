import type { FastifyInstance, FastifyRequest } from 'fastify'
import { terminalEndpoints as endpoints } from '../../src/schemas/endpoints/terminalEndpoints.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import type { Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { timestamp } from '../wire/timestamp.ts'
import { type SessionInfo, type StreamSession, type StreamSessions, shortId } from './sessions.ts'

interface Services {
  sessions: StreamSessions
  /** Whether a person may still work on the machine of a session. */
  mayUse: (person: Person, session: StreamSession) => boolean
  /** Milliseconds. */
  holdMs: () => number
}

/**
 * Routes that the contract does not have: list, show and end open terminals.
 * @returns how to find one, by the id that the audit log gives it
 */
export function registerHeldTerminals(
  app: FastifyInstance,
  { sessions, mayUse, holdMs }: Services,
): { find(request: FastifyRequest, id: string): StreamSession } {
  const listFor = ({ person }: FastifyRequest) =>
    sessions.list('terminal', person).filter(({ session }) => person && mayUse(person, session))

  /** @throws ApiError when there is none that this person may attach to */
  function find(request: FastifyRequest, id: string): StreamSession {
    const info = listFor(request).find(({ session }) => shortId(session.id) === id)
    if (!info) throw new ApiError('terminal not found')
    return info.session
  }

  const shown = ({ session, opened, used, heldSince }: SessionInfo, { person }: FastifyRequest) => ({
    id: shortId(session.id),
    server_id: session.server.id,
    server_name: session.server.name,
    username: session.person.username,
    is_own: session.person.id === person?.id,
    opened_at: timestamp(opened),
    used_at: timestamp(used),
    ...(heldSince !== undefined && { held_until: timestamp(heldSince + holdMs()) }),
  })

  route(app, 'heldTerminals', endpoints.heldTerminals, (request) =>
    listFor(request).map((info) => shown(info, request)),
  )
  route(app, 'attachTerminal', endpoints.attachTerminal, (request) => {
    const { id, server } = find(request, request.params.session)
    return { session_id: id, server_id: server.id, server_name: server.name }
  })
  route(app, { name: 'endTerminal', audit: 'terminal.close' }, endpoints.endTerminal, (request) => {
    const session = find(request, request.params.session)
    session.end('ended in the list')
    addAuditDetails(request, { target: `server ${session.server.id}`, detail: { session: shortId(session.id) } })
  })
  return { find }
}
