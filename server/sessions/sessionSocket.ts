import type {} from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Audit } from '../audit/auditLog.ts'
import type { Session } from '../auth/sessions/sessions.ts'
import type { Guard } from '../http/routes/guard.ts'
import { owns, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { type SessionKind, type StreamSession, type StreamSessions, shortId } from './sessions.ts'

export interface SocketServices {
  sessions: StreamSessions
  guard: Guard
  audit: Audit
  /** Whether the sign-in that a socket was opened with still counts. */
  isAlive: (session: Session) => boolean
  /** Whether an address was blocked meanwhile. */
  isBlocked: (address: string) => boolean
  /** Whose a server is now; nothing when it was deleted. */
  ownerOf: (serverId: number) => { user_id: number } | undefined
  /** Milliseconds between two looks whether the person may still be there, and between two pings. */
  watchMs?: number
  pingMs?: number
  /** How long a machine without command execution keeps a socket waiting, in milliseconds. */
  silenceMs?: number
}

/**
 * What a kind of session does with its socket. It is called once per session, when the first socket has attached, and
 * gives back what is done with each socket: listen for messages and send. It needs to see to nothing else: refusals,
 * pings, sign-ins that end, the end of the socket and its line in the audit log are seen to here. To close, it calls
 * `session.end(outcome)`; what it opened it closes in `session.onEnd`.
 */
export type Serve = (session: StreamSession) => (socket: WebSocket) => void

/**
 * Registers `/api/v1/ws/<kind>/:id` (docs/contract/CONTRACT.md#10-websockets). A refused upgrade is a plain reply of
 * HTTP 200 in JSON; every end is without a close frame. A second socket on a session is let in too, and when either
 * goes the session is over.
 *
 * @example registerSessionSocket(app, services, 'file', (session) => (socket) => serveFiles(session, socket))
 */
export function registerSessionSocket(
  app: FastifyInstance,
  services: SocketServices,
  kind: SessionKind,
  serve: Serve,
): void {
  const { sessions, guard, audit, silenceMs = 10_000 } = services
  const joins = new WeakMap<StreamSession, (socket: WebSocket) => void>()

  function attachable(request: FastifyRequest): StreamSession | undefined {
    return sessions.find(kind, idIn(request), request.person)
  }

  /** What a socket of this session does; a machine that runs no commands never says a word. */
  function joinOf(session: StreamSession): (socket: WebSocket) => void {
    if (!session.host.runsCommands()) return () => endLater(session, silenceMs)
    return serve(session)
  }

  app.route({
    method: 'GET',
    url: `/api/v1/ws/${kind}/:id`,
    onRequest: [
      guard('user'),
      async (request) => {
        if (attachable(request)) return
        const { person, address } = request
        // Who is not signed in was refused before, unwritten: strangers must not be able to fill a disk.
        audit.write({ action: `${kind}.refused`, person, address, detail: { session: shortId(idIn(request)) } })
        throw new ApiError('permission denied')
      },
    ],
    schema: { hide: true },
    handler: (_request, reply) => reply.code(400).type('text/plain; charset=utf-8').send('Bad Request\n'),
    wsHandler(socket, request) {
      const session = attachable(request)
      if (!session || !request.person) return socket.terminate()
      sessions.attached(session, { person: request.person, address: request.address })
      session.onEnd(() => socket.readyState < socket.CLOSING && socket.terminate())
      socket.on('close', () => session.end('closed'))
      // A broken connection is no failure of ours; 'close' follows.
      socket.on('error', () => {})
      watch(socket, session, request.person, request, services)
      const join = joins.get(session) ?? joinOf(session)
      joins.set(session, join)
      join(socket)
    },
  })
}

const idIn = (request: FastifyRequest) => (request.params as { id: string }).id

function endLater(session: StreamSession, ms: number): void {
  const timer = setTimeout(() => session.end('command execution is disabled'), ms)
  session.onEnd(() => clearTimeout(timer))
}

/** A browser that slept answers when it wakes; one that is gone for this many pings never will. */
const pingsUntilLost = 6

/** Pings, and ends the session when nobody answers any more or the person may no longer be there. */
function watch(
  socket: WebSocket,
  session: StreamSession,
  person: Person,
  { session: signIn, address }: FastifyRequest,
  { isAlive, isBlocked, ownerOf, watchMs = 1000, pingMs = 10_000 }: SocketServices,
): void {
  let unanswered = 0
  const hear = () => {
    unanswered = 0
  }
  socket.on('pong', hear)
  socket.on('message', hear)

  function mayStay(): boolean {
    if ((signIn && !isAlive(signIn)) || isBlocked(address)) return false
    const server = ownerOf(session.server.id)
    return server !== undefined && owns(person, server)
  }

  const looking = setInterval(() => {
    if (!mayStay()) session.end('no longer allowed')
  }, watchMs)
  const pinging = setInterval(() => {
    // A socket that is paused cannot hear, and one with much to send has the ping behind it: that is not the silence of
    // somebody who has gone.
    if (!socket.isPaused && socket.bufferedAmount === 0 && unanswered >= pingsUntilLost) return session.end('lost')
    unanswered++
    socket.ping()
  }, pingMs)
  socket.on('close', () => {
    clearInterval(looking)
    clearInterval(pinging)
  })
}
