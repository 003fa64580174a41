import type {} from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Endpoint } from '../../src/schemas/define/endpoint.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { type SessionCloseReason, sessionCloseCodes } from '../../src/schemas/frames/sessionClose.ts'
import { terminalLimits } from '../../src/schemas/frames/terminal.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import { askSafely } from '../concurrency/askSafely.ts'
import type { Guard } from '../http/routes/guard.ts'
import type { Log } from '../log.ts'
import { owns, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { type SessionKind, type StreamSession, type StreamSessions, shortId } from './sessions.ts'

export interface SocketServices {
  sessions: StreamSessions
  guard: Guard
  audit: AuditLog
  log: Pick<Log, 'error'>
  /** Whether the session or API token that a socket was opened with still counts. */
  isAlive: (visitor: Pick<FastifyRequest, 'person' | 'session'>) => boolean
  /**
   * Whether an administrator blocked an address meanwhile. Wrong passwords of others at the same address must not end
   * the work of somebody who is signed in.
   */
  isBlocked: (address: string) => boolean
  /** The current owner of a server; `undefined` when it was deleted. */
  ownerOf: (serverId: number) => { user_id: number } | undefined
  /** Milliseconds between two checks whether the person is still allowed, and between two pings. */
  watchMs?: number
  pingMs?: number
}

/**
 * What a kind of session does with its sockets. It is called once per session, when the first socket has attached, and
 * returns the handler of each socket, which listens for messages and sends. Refusals, pings, ended sign-ins, the end of
 * the socket and its entry in the audit log are handled here. To close, it calls `session.end(outcome)`; what it opened
 * it closes in `session.onEnd`.
 */
export type Serve = (session: StreamSession) => HandleSocket

/**
 * @param stays to be asked before each message acts, and before what it began is completed: whether the session goes on
 *   and the person of this socket is still allowed. If not, it has ended the session
 */
export type HandleSocket = (socket: WebSocket, stays: () => boolean) => void

/** Bytes of a message. The terminal has a lower limit, beyond which it ends with a reason in the audit log. */
const messageLimits = { terminal: 2 * terminalLimits.message, file: 8 * 1024 * 1024 } satisfies Record<
  SessionKind,
  number
>

/** What an API token needs, as for the call that opens a session. */
const scopes = {
  terminal: endpoints.openTerminal.scopes,
  file: endpoints.openFile.scopes,
} satisfies Record<SessionKind, Endpoint['scopes']>

interface SessionRoute {
  Params: { id: string }
}

/**
 * Registers `/api/v1/ws/<kind>/:id` (docs/contract/CONTRACT.md#10-websockets). A refused upgrade is answered with
 * HTTP 200 and JSON; sockets end without a close frame. A second socket may attach to a session, and when either closes
 * the session ends.
 *
 * @example registerSessionSocket(app, services, 'file', (session) => (socket) => serveFiles(session, socket))
 */
export function registerSessionSocket(
  app: FastifyInstance,
  services: SocketServices,
  kind: SessionKind,
  serve: Serve,
): void {
  const { sessions, guard, audit } = services
  const handlers = new WeakMap<StreamSession, HandleSocket>()

  function findSession(request: FastifyRequest<SessionRoute>): StreamSession | undefined {
    return sessions.find(kind, request.params.id, request.person)
  }

  /** The handler of this session's sockets. */
  function handlerOf(session: StreamSession): HandleSocket {
    if (!session.host.canRunCommands()) return (socket) => closeUnavailable(socket, session, 'disabled')
    return serve(session)
  }

  app.route<SessionRoute>({
    method: 'GET',
    url: `/api/v1/ws/${kind}/:id`,
    onRequest: [
      guard('user', { scopes: scopes[kind], keepsToServers: true }),
      async (request) => {
        if (findSession(request)) return
        const { person, address } = request
        // Requests without a session were refused before, without an entry: they must not be able to fill the disk.
        audit.write({ action: `${kind}.refused`, person, address, detail: { session: shortId(request.params.id) } })
        throw new ApiError('permission denied')
      },
    ],
    config: { messageLimit: messageLimits[kind] },
    handler: (_request, reply) => reply.code(400).type('text/plain; charset=utf-8').send('Bad Request\n'),
    wsHandler(socket, request) {
      const session = findSession(request)
      if (!session || !request.person) return socket.terminate()
      sessions.attached(session, { person: request.person, address: request.address })
      session.onEnd(() => socket.readyState < socket.CLOSING && socket.terminate())
      socket.on('close', () => session.end('closed'))
      // Connection errors are expected; 'close' follows.
      socket.on('error', () => {})
      const stays = watch(socket, session, request.person, request, services)
      const handleSocket = handlers.get(session) ?? handlerOf(session)
      handlers.set(session, handleSocket)
      handleSocket(socket, stays)
    },
  })
}

/** Ends a session that the machine does not open, with the reason as the code of the socket. */
export function closeUnavailable(socket: WebSocket, session: StreamSession, reason: SessionCloseReason): void {
  // A paused socket would not receive the reply to the close frame.
  socket.resume()
  socket.close(sessionCloseCodes[reason])
  session.end(`not opened: ${reason}`)
}

/** A sleeping browser answers when it wakes up; one that misses this many pings is gone. */
const pingsUntilLost = 6

/**
 * Sends pings, and ends the session when nothing answers or the person is no longer allowed.
 * @returns see `HandleSocket`
 */
function watch(
  socket: WebSocket,
  session: StreamSession,
  person: Person,
  { session: signIn, address }: FastifyRequest,
  { isAlive, isBlocked, ownerOf, log, watchMs = 1000, pingMs = 10_000 }: SocketServices,
): () => boolean {
  let unanswered = 0
  let hasEnded = false
  session.onEnd(() => {
    hasEnded = true
  })
  const onAlive = () => {
    unanswered = 0
  }
  socket.on('pong', onAlive)
  socket.on('message', onAlive)

  function isAllowed(): boolean {
    if (!isAlive({ person, session: signIn }) || isBlocked(address)) return false
    const server = ownerOf(session.server.id)
    // With a new owner, also the terminals of admins end: the machine is somebody else's now.
    return (
      server !== undefined && server.user_id === session.server.ownerId && owns(person, server, [session.server.id])
    )
  }

  function stays(): boolean {
    const failure = 'Whether a terminal or file manager may go on could not be found out; it was ended:'
    if (!hasEnded && !askSafely(isAllowed, { fallback: false, log, failure })) session.end('no longer allowed')
    return !hasEnded
  }

  const permissionTimer = setInterval(stays, watchMs)
  const pingTimer = setInterval(() => {
    // A paused socket cannot receive the pong, and one with much to send has the ping queued: that is no sign of a lost
    // client.
    if (!socket.isPaused && socket.bufferedAmount === 0 && unanswered >= pingsUntilLost) return session.end('lost')
    unanswered++
    socket.ping()
  }, pingMs)
  socket.on('close', () => {
    clearInterval(permissionTimer)
    clearInterval(pingTimer)
  })
  return stays
}
