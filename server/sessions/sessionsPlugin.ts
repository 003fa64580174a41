import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { may, personOf } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { readFields } from '../wire/readFields.ts'
import { readPathId } from '../wire/readIds.ts'
import { createFileSockets } from './fileSocket.ts'
import { registerHeldTerminals } from './heldTerminals.ts'
import { createOutputHistories } from './outputHistory.ts'
import { mayUse, registerSessionSocket, type SocketServices } from './sessionSocket.ts'
import { createStreamSessions, type SessionKind, type StreamSession } from './sessions.ts'
import { serveTerminal } from './terminalSocket.ts'

/** Milliseconds; see `SocketServices`. */
export type SocketTimes = Pick<SocketServices, 'watchMs' | 'pingMs'>

interface SessionsOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** Default: as the contract has them. */
  socketTimes?: SocketTimes
}

function readTerminalForm(body: unknown): { server_id: number } {
  const { server_id = 0 } = readFields(body, 'TerminalForm', { server_id: { kind: 'uint64' } })
  return { server_id }
}

/**
 * Terminals and file managers: the calls that open them (docs/contract/CONTRACT.md#513-terminal-and-file-sessions), and
 * their sockets.
 */
export const sessionsPlugin = fp(registerSessions, { name: 'sessions', dependencies: ['machines', 'audit', 'site'] })

async function registerSessions(app: FastifyInstance, options: SessionsOptions): Promise<void> {
  const { store, log, now, socketTimes } = options
  const { machines, audit } = app
  const servers = entityTable(store, server)
  const holdMs = () => app.terminalHoldMinutes() * 60_000
  const sessions = createStreamSessions({ audit, now, holdMs })

  /** @throws ApiError when the machine does not exist, has another owner, or too many sessions are open */
  function open(kind: SessionKind, id: number, request: FastifyRequest): StreamSession {
    const person = personOf(request)
    const row = servers.get(id)
    const host = row && machines.connected(row)
    if (!host) throw new ApiError('server not found or not connected')
    if (!may(person, 'act', row, [id])) throw new ApiError('permission denied')
    const server = { id, name: row.name as string, ownerId: row.user_id }
    return sessions.create(kind, { person, address: request.address, server, host })
  }

  route(app, 'openTerminal', endpoints.openTerminal, readTerminalForm, (request) => {
    const session = open('terminal', request.body.server_id, request)
    return { session_id: session.id, server_id: session.server.id, server_name: session.server.name }
  })

  route(app, 'openFile', endpoints.openFile, (request) => {
    return { session_id: open('file', readPathId(request.query.id), request).id }
  })

  const ownerOf = (id: number) => servers.get(id)
  const sockets: SocketServices = {
    sessions,
    guard: app.guard,
    audit,
    log,
    ownerOf,
    holdMs,
    ...socketTimes,
    isAlive: app.auth.isAlive,
    isBlocked: app.auth.waf.isBlockedByAdmin,
  }
  registerSessionSocket(app, sockets, 'terminal', serveTerminal({ log, histories: createOutputHistories() }))
  registerHeldTerminals(app, { sessions, holdMs, mayUse: (person, session) => mayUse(person, session, sockets) })
  const files = createFileSockets({ log, now })
  registerSessionSocket(app, sockets, 'file', files.serve)
  app.addHook('onClose', async () => {
    sessions.endAll('the server stopped')
    await files.settled()
  })
}
