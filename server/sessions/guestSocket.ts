import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import {
  decodeTerminalFrame,
  encodePast,
  shareEndedCode,
  shellEndedCode,
  type TerminalState,
  terminalLimits,
} from '../../src/schemas/frames/terminal.ts'
import { ApiError } from '../wire/apiError.ts'
import { followOutput } from './followOutput.ts'
import type { LiveTerminal } from './liveTerminals.ts'
import { askAllowed, closeWith, pingSocket, readOffset, type SocketServices, socketTimes } from './sessionSocket.ts'
import { type Guest, notShared, type TerminalShares } from './terminalShares.ts'
import { sendState, waitForProgram } from './terminalSocket.ts'

/** Bytes that wait in the socket of a guest above which nothing is sent: what is dropped meanwhile is sent again. */
const maxWaiting = 256 * 1024
const follow = { everyMs: 10, pieceBytes: 128 * 1024 }

interface GuestRoute {
  Params: { id: string }
  Querystring: { offset?: string }
}

interface Services extends SocketServices {
  shares: TerminalShares
  stateOf: (terminal: LiveTerminal) => TerminalState
}

/**
 * Registers `/api/v1/ws/shared-terminal/:id`, for who has joined a shared terminal. Its frames are those of a terminal
 * with `?offset` and `?state=1`, and the size of the screen is that of the owner. A guest whose socket has closed with
 * another code than `shellEndedCode` may come back for a while.
 */
export function registerGuestSocket(app: FastifyInstance, services: Services): void {
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
