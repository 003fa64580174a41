import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import {
  decodeTerminalFrame,
  encodePast,
  type ShareMode,
  shareEndedCode,
  shellEndedCode,
  type TerminalPerson,
  type TerminalState,
  terminalLimits,
} from '../../src/schemas/frames/terminal.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Person } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'
import { followOutput } from './followOutput.ts'
import { type LiveTerminal, owner } from './liveTerminals.ts'
import { askAllowed, closeWith, pingSocket, readOffset, type SocketServices, socketTimes } from './sessionSocket.ts'
import { type StreamSession, shortId } from './sessions.ts'
import { sendState, waitForProgram } from './terminalSocket.ts'

/** Guests of one terminal and of all, and milliseconds for which the place of one without a socket is kept. */
export const shareLimits = { perTerminal: 10, all: 200, keptMs: 60_000 }

/** Somebody who has joined a shared terminal. */
interface Guest {
  /** Random: the address of their socket. */
  readonly id: string
  readonly person: Person
  readonly terminal: LiveTerminal
  /** How the terminal is shared now. */
  mode(): ShareMode
  /**
   * A socket has attached, in place of an earlier one.
   * @param close called when the guest has to go; `hasEnded`: because the terminal has
   * @returns to be called when the socket has closed, with whether it may come back
   */
  attached(close: (hasEnded: boolean) => void): (mayReturn: boolean) => void
  /** They have typed so many bytes. */
  typed(bytes: number): void
  /** Ends it, once. @param outcome why, for the audit log */
  leave(outcome: string): void
}

export interface TerminalShares {
  /** Shares a terminal, or changes how. @returns what stands in the link */
  share(terminal: LiveTerminal, mode: ShareMode): string
  /** @returns whether it was shared */
  unshare(session: StreamSession, outcome: string): boolean
  /** The terminal to which a link leads. */
  find(code: string): LiveTerminal | undefined
  /** @throws ApiError when there are too many guests */
  join(terminal: LiveTerminal, person: Person, address: string): Guest
  guest(id: string, person: Person): Guest | undefined
  /** How a terminal is shared, and who is in it beside its owner. */
  stateOf(session: StreamSession): { share?: ShareMode; guests: TerminalPerson[] }
}

interface Share {
  code: string
  mode: ShareMode
  terminal: LiveTerminal
  guests: Map<string, GuestPlace>
}

interface GuestPlace {
  guest: Guest
  isAttached: boolean
}

interface Services {
  audit: AuditLog
  /** The clock, in milliseconds since 1970. */
  now: () => number
  keptMs?: number
}

export function createTerminalShares({ audit, now, keptMs = shareLimits.keptMs }: Services): TerminalShares {
  /** By the id of the session. */
  const shares = new Map<string, Share>()
  const places = () => [...shares.values()].flatMap(({ guests }) => [...guests.values()])

  function addGuest(share: Share, person: Person, address: string): Guest {
    const { terminal, guests } = share
    const { session } = terminal
    const id = randomUUID()
    const began = now()
    let typedBytes = 0
    let hasJoined = false
    let close: (hasEnded: boolean) => void = () => {}
    let timer: NodeJS.Timeout | undefined
    const note = (action: string, detail: Readonly<Record<string, string | number>>) =>
      audit.write({
        action,
        person,
        address,
        target: `server ${session.server.id}`,
        detail: { session: shortId(session.id), owner: session.person.username, ...detail },
      })
    const waitForSocket = () => {
      timer = setTimeout(() => guest.leave('gone'), keptMs)
    }
    const guest: Guest = {
      id,
      person,
      terminal,
      mode: () => share.mode,
      attached(closeSocket) {
        clearTimeout(timer)
        close(false)
        close = closeSocket
        place.isAttached = true
        if (!hasJoined) note('terminal.join', { mode: share.mode })
        hasJoined = true
        terminal.changed()
        return (mayReturn) => {
          if (close !== closeSocket || !guests.has(id)) return
          close = () => {}
          place.isAttached = false
          if (mayReturn) waitForSocket()
          else guest.leave('closed')
          terminal.changed()
        }
      },
      typed(bytes) {
        typedBytes += bytes
      },
      leave(outcome) {
        clearTimeout(timer)
        if (!guests.delete(id)) return
        close(outcome === terminalEnded)
        const seconds = Math.round((now() - began) / 1000)
        if (hasJoined) note('terminal.leave', { outcome, bytes_in: typedBytes, seconds })
        terminal.changed()
      },
    }
    const place: GuestPlace = { guest, isAttached: false }
    guests.set(id, place)
    waitForSocket()
    return guest
  }

  function unshare(session: StreamSession, outcome: string): boolean {
    const share = shares.get(session.id)
    if (!share) return false
    shares.delete(session.id)
    for (const { guest } of [...share.guests.values()]) guest.leave(outcome)
    share.terminal.changed()
    return true
  }

  return {
    share(terminal, mode) {
      const { session } = terminal
      const existing = shares.get(session.id)
      const share = existing ?? { code: randomBytes(16).toString('base64url'), mode, terminal, guests: new Map() }
      share.mode = mode
      if (!existing) {
        shares.set(session.id, share)
        terminal.onEnd(() => void unshare(session, terminalEnded))
      }
      terminal.changed()
      return share.code
    },
    unshare,
    find: (code) => [...shares.values()].find((share) => share.code === code)?.terminal,
    join(terminal, person, address) {
      const share = shares.get(terminal.session.id)
      if (!share) throw new ApiError(notShared)
      // Who loads the page again has a place more each time, until the earlier ones are given up.
      const earlier = [...share.guests.values()].find(
        (place) => !place.isAttached && place.guest.person.id === person.id,
      )
      if (share.guests.size >= shareLimits.perTerminal) earlier?.guest.leave('made room')
      if (share.guests.size >= shareLimits.perTerminal || places().length >= shareLimits.all) {
        throw new ApiError('too many people are in this terminal')
      }
      return addGuest(share, person, address)
    },
    guest: (id, person) => places().find(({ guest }) => guest.id === id && guest.person.id === person.id)?.guest,
    stateOf(session) {
      const share = shares.get(session.id)
      if (!share) return { guests: [] }
      const present = [...share.guests.values()].filter(({ isAttached }) => isAttached)
      const guests = present.map(({ guest: { id, person } }): TerminalPerson => {
        const typed = share.terminal.typist !== owner && share.terminal.typist === id
        return { name: person.username, role: 'guest', typed }
      })
      return { share: share.mode, guests }
    },
  }
}

const terminalEnded = 'the terminal ended'

export const notShared = 'this terminal is not shared with you, or not any more'

/** Bytes that wait in the socket of a guest above which nothing is sent: what is dropped meanwhile is sent again. */
const maxWaiting = 256 * 1024
const follow = { everyMs: 10, pieceBytes: 128 * 1024 }

interface GuestRoute {
  Params: { id: string }
  Querystring: { offset?: string }
}

interface GuestServices extends SocketServices {
  shares: TerminalShares
  stateOf: (terminal: LiveTerminal) => TerminalState
}

/**
 * Registers `/api/v1/ws/shared-terminal/:id`, for who has joined a shared terminal. Its frames are those of a terminal
 * with `?offset` and `?state=1`, and the size of the screen is that of the owner. A guest whose socket has closed with
 * another code than `shellEndedCode` may come back for a while.
 */
export function registerGuestSocket(app: FastifyInstance, services: GuestServices): void {
  const { shares, stateOf, guard } = services
  const { watchMs = socketTimes.watchMs, pingMs = socketTimes.pingMs } = services

  function findGuest({ params, person }: FastifyRequest<GuestRoute>): Guest | undefined {
    return person && shares.guest(params.id, person)
  }

  app.route<GuestRoute>({
    method: 'GET',
    url: '/api/v1/ws/shared-terminal/:id',
    onRequest: [
      guard('user', { scopes: endpoints.openTerminal.scopes, keepsToServers: true }),
      async (request) => {
        if (!findGuest(request)) throw new ApiError(notShared)
      },
    ],
    config: { messageLimit: 2 * terminalLimits.message },
    handler: (_request, reply) => reply.code(400).type('text/plain; charset=utf-8').send('Bad Request\n'),
    wsHandler(socket, request) {
      const guest = findGuest(request)
      if (!guest || !request.person) return socket.terminate()
      const { terminal } = guest
      const isAllowed = askAllowed(terminal.session, request.person, request, services)
      const stays = () => {
        if (socket.readyState !== socket.OPEN) return false
        if (isAllowed()) return true
        guest.leave('no longer allowed')
        return false
      }
      socket.on('error', () => {})
      if (!stays()) return
      const detached = guest.attached((hasEnded) => {
        if (hasEnded && socket.bufferedAmount < maxWaiting) follower.flush()
        closeWith(socket, hasEnded ? shellEndedCode : shareEndedCode)
      })
      const timer = setInterval(stays, watchMs)
      pingSocket(socket, pingMs, () => socket.terminate())
      sendState(socket, terminal, stateOf)
      const follower = followOutput(terminal, {
        ...follow,
        offset: readOffset(request.query.offset) ?? 0,
        hasRoom: () => socket.readyState === socket.OPEN && socket.bufferedAmount < maxWaiting,
        onPast: (word) => socket.send(encodePast(word)),
        onPiece: (bytes) => socket.send(bytes, { binary: true }),
      })
      listen(socket, guest, stays)
      socket.on('close', (code) => {
        clearInterval(timer)
        follower.stop()
        detached(code !== shellEndedCode)
      })
    },
  })
}

/** Types what the guest sends, while guests may type. */
function listen(socket: WebSocket, guest: Guest, stays: () => boolean): void {
  const { terminal } = guest
  const type = (bytes: Uint8Array) => {
    if (guest.mode() !== 'type' || bytes.length === 0) return
    guest.typed(bytes.length)
    terminal.type(bytes, guest.id)
    waitForProgram(socket, terminal)
  }
  socket.on('message', (data: RawData, isBinary) => {
    if (!stays()) return
    const bytes = data as Buffer
    if (bytes.length > terminalLimits.message) return socket.close(1009)
    if (!isBinary) return type(bytes)
    const frame = decodeTerminalFrame(bytes)
    if (frame?.kind === 'input') type(frame.bytes)
  })
}
