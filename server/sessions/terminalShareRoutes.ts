import type { FastifyInstance, FastifyRequest } from 'fastify'
import { terminalEndpoints as endpoints } from '../../src/schemas/endpoints/terminalEndpoints.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import { type Person, personOf } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'
import type { LiveTerminal, LiveTerminals } from './liveTerminals.ts'
import type { Recorder } from './recorder.ts'
import { type StreamSession, shortId } from './sessions.ts'
import { notShared, type TerminalShares } from './terminalShares.ts'

interface Services {
  terminals: LiveTerminals
  shares: TerminalShares
  recorder: Recorder
  /** @throws ApiError when there is none that this person may attach to */
  findOwn: (request: FastifyRequest, id: string) => StreamSession
  /** Whether a person may work on the machine of a session. */
  mayUse: (person: Person, session: StreamSession) => boolean
}

/** The calls about sharing and recording an open terminal. */
export function registerTerminalShares(
  app: FastifyInstance,
  { terminals, shares, recorder, findOwn, mayUse }: Services,
): void {
  /** @throws ApiError when there is none, or its shell is not there yet */
  function findTerminal(request: FastifyRequest, id: string): LiveTerminal {
    const session = findOwn(request, id)
    const terminal = terminals.find(session.id)
    if (!terminal) throw new ApiError('terminal not found')
    addAuditDetails(request, { target: `server ${session.server.id}`, detail: { session: shortId(session.id) } })
    return terminal
  }

  route(
    app,
    { name: 'shareTerminal', audit: 'terminal.share' },
    endpoints.shareTerminal,
    bodyReader(endpoints.shareTerminal),
    (request) => {
      const { mode } = request.body
      const terminal = findTerminal(request, request.params.session)
      addAuditDetails(request, {
        target: `server ${terminal.session.server.id}`,
        detail: { session: request.params.session, mode },
      })
      return { code: shares.share(terminal, mode) }
    },
  )
  route(app, { name: 'unshareTerminal', audit: 'terminal.unshare' }, endpoints.unshareTerminal, (request) => {
    shares.unshare(findTerminal(request, request.params.session).session, 'the share ended')
  })
  route(app, 'joinTerminal', endpoints.joinTerminal, (request) => {
    const person = personOf(request)
    const terminal = shares.find(request.params.code)
    // One answer for both: whether a link is right is no business of who may not use it.
    if (!terminal || !mayUse(person, terminal.session)) throw new ApiError(notShared)
    const { id } = shares.join(terminal, person, request.address)
    const { server, person: opener } = terminal.session
    return { session_id: id, server_id: server.id, server_name: server.name, username: opener.username }
  })
  route(app, 'recordTerminal', endpoints.recordTerminal, bodyReader(endpoints.recordTerminal), (request) => {
    const by = { person: personOf(request), address: request.address }
    recorder.turn(findTerminal(request, request.params.session), request.body.is_on, by)
  })
}
