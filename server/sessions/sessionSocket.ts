import type {} from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Endpoint } from '../../src/schemas/define/endpoint.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { type SessionCloseReason, sessionCloseCodes } from '../../src/schemas/frames/sessionClose.ts'
import { shellEndedCode, takenOverCode, terminalLimits } from '../../src/schemas/frames/terminal.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import { askSafely } from '../concurrency/askSafely.ts'
import type { Guard } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { may, type Person } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'
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
  /** As `createStreamSessions` has it. */
  holdMs: () => number
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
 * @param attached.stays to be asked before each message acts, and before what it began is completed: whether the session
 *   goes on and the person of this socket is still allowed. If not, it has ended the session
 */
export type HandleSocket = (socket: WebSocket, attached: AttachedSocket) => void

export interface AttachedSocket {
  stays: () => boolean
  /** Bytes of output that the client has already; absent for one that does not come back after it was cut off. */
  offset?: number
  /** Whether the client is told about the terminal: `TerminalState`. */
  hasState: boolean
}

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
  Querystring: { offset?: string; state?: string }
}

/** The sockets of a session. */
interface Attachment {
  handle: HandleSocket
  sockets: Set<WebSocket>
  /** Ends the checks on behalf of the socket that was the last; set while the session is held. */
  stopChecks?: () => void
}

/**
 * Registers `/api/v1/ws/<kind>/:id` (docs/contract/CONTRACT.md#10-websockets). A refused upgrade is answered with
 * HTTP 200 and JSON; sockets end without a close frame. A second socket may attach to a session, and when either closes
 * the session ends.
 *
 * A socket with `?offset` in its address, of a client that comes back, replaces the others. When it closes with another
 * code than `shellEndedCode`, the session is held (docs/decisions/held-terminals.md): the checks go on as if it were
 * there.
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
  const attachments = new WeakMap<StreamSession, Attachment>()

  function findSession(request: FastifyRequest<SessionRoute>): StreamSession | undefined {
    const { person } = request
    const session = sessions.find(kind, request.params.id, person)
    return session && person && mayUse(person, session, services) ? session : undefined
  }

  function attachmentOf(session: StreamSession): Attachment {
    const attachment = attachments.get(session) ?? { handle: handlerOf(session), sockets: new Set() }
    attachments.set(session, attachment)
    return attachment
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
      const { person } = request
      sessions.attached(session, { person, address: request.address })
      const attachment = attachmentOf(session)
      const { sockets } = attachment
      attachment.stopChecks?.()
      attachment.stopChecks = undefined
      const offset = readOffset(request.query.offset)
      const canReturn = kind === 'terminal' && offset !== undefined && services.holdMs() > 0
      if (canReturn) for (const other of sockets) closeWith(other, takenOverCode)
      if (canReturn) sockets.clear()
      sockets.add(socket)

      const forgetSocket = session.onEnd(() => (canReturn ? closeWith(socket, shellEndedCode) : end(socket)))
      const onLost = () => (canReturn ? socket.terminate() : session.end('lost'))
      const { stays, stop } = watch(socket, session, person, request, services, onLost)
      socket.on('close', (code) => {
        forgetSocket()
        const isReplaced = !sockets.delete(socket)
        if (!isReplaced && (!canReturn || code === shellEndedCode)) session.end('closed')
        if (isReplaced || sockets.size > 0) return stop()
        sessions.hold(session)
        attachment.stopChecks = stop
      })
      // Connection errors are expected; 'close' follows.
      socket.on('error', () => {})
      const hasState = request.query.state === '1'
      if (stays()) attachment.handle(socket, { stays, hasState, ...(canReturn && { offset }) })
    },
  })
}

export function readOffset(text: string | undefined): number | undefined {
  const offset = Number(text)
  return text && Number.isSafeInteger(offset) && offset >= 0 ? offset : undefined
}

function end(socket: WebSocket): void {
  if (socket.readyState < socket.CLOSING) socket.terminate()
}

export function closeWith(socket: WebSocket, code: number): void {
  if (socket.readyState >= socket.CLOSING) return
  // A paused socket would not receive the reply to the close frame.
  socket.resume()
  socket.close(code)
}

/** Whether a person may work on the machine of a session, which nobody has moved since. */
export function mayUse(
  person: Person,
  { server }: StreamSession,
  { ownerOf }: Pick<SocketServices, 'ownerOf'>,
): boolean {
  const row = ownerOf(server.id)
  // With a new owner, also the terminals of admins end: the machine is somebody else's now.
  return row !== undefined && row.user_id === server.ownerId && may(person, 'act', row, [server.id])
}

/** Ends a session that the machine does not open, with the reason as the code of the socket. */
export function closeUnavailable(socket: WebSocket, session: StreamSession, reason: SessionCloseReason): void {
  closeWith(socket, sessionCloseCodes[reason])
  session.end(`not opened: ${reason}`)
}

/** A sleeping browser answers when it wakes up; one that misses this many pings is gone. */
const pingsUntilLost = 6

/** Default milliseconds between two checks whether a person is still allowed, and between two pings. */
export const socketTimes = { watchMs: 1000, pingMs: 10_000 }

/** Sends pings until the socket closes. @param onLost called when nothing answers */
export function pingSocket(socket: WebSocket, pingMs: number, onLost: () => void): void {
  let unanswered = 0
  const onAlive = () => {
    unanswered = 0
  }
  socket.on('pong', onAlive)
  socket.on('message', onAlive)
  const timer = setInterval(() => {
    // A paused socket cannot receive the pong, and one with much to send has the ping queued: that is no sign of a lost
    // client.
    if (!socket.isPaused && socket.bufferedAmount === 0 && unanswered >= pingsUntilLost) return onLost()
    unanswered++
    socket.ping()
  }, pingMs)
  socket.on('close', () => clearInterval(timer))
}

/**
 * Makes the question whether a person may still work in a session, which is asked again and again: it is `false` when it
 * cannot be answered.
 */
export function askAllowed(
  session: StreamSession,
  person: Person,
  { session: signIn, address }: Pick<FastifyRequest, 'session' | 'address'>,
  services: SocketServices,
): () => boolean {
  const { isAlive, isBlocked, log } = services
  const isAllowed = () =>
    isAlive({ person, session: signIn }) && !isBlocked(address) && mayUse(person, session, services)
  const failure = 'Whether a terminal or file manager may go on could not be found out; it was ended:'
  return () => askSafely(isAllowed, { fallback: false, log, failure })
}

/**
 * Sends pings, and ends the session when the person is no longer allowed.
 * @param onLost called when nothing answers
 * @returns `stays` as `AttachedSocket` has it, and how to end the checks once the socket has closed
 */
function watch(
  socket: WebSocket,
  session: StreamSession,
  person: Person,
  request: FastifyRequest,
  services: SocketServices,
  onLost: () => void,
): { stays: () => boolean; stop: () => void } {
  const { sessions, watchMs = socketTimes.watchMs, pingMs = socketTimes.pingMs } = services
  const isAllowed = askAllowed(session, person, request, services)
  let hasEnded = false

  function stays(): boolean {
    if (!hasEnded && !isAllowed()) session.end('no longer allowed')
    return !hasEnded
  }

  const permissionTimer = setInterval(() => {
    sessions.endHeld()
    stays()
  }, watchMs)
  pingSocket(socket, pingMs, onLost)
  const forget = session.onEnd(() => {
    hasEnded = true
    clearInterval(permissionTimer)
  })
  const stop = () => {
    forget()
    clearInterval(permissionTimer)
  }
  return { stays, stop }
}
