import type {} from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { WebSocket } from 'ws'
import type { Rule } from '../../../src/schemas/define/access.ts'
import type { OnlineUsers } from '../../auth/blocking/onlineUsers.ts'
import type { Session } from '../../auth/sessions/sessions.ts'
import type { Store } from '../../db/store.ts'
import type { Person } from '../../person.ts'
import { timestamp } from '../../wire/timestamp.ts'
import type { Machines } from '../machines.ts'
import type { FrameBytes } from './frameMemory.ts'
import { createLiveFrames } from './liveFrame.ts'
import { createLiveViewer, type LiveViewer } from './liveViewer.ts'

export interface LiveServices {
  store: Store
  machines: Machines
  online: OnlineUsers
  /** The hook that sets `request.person`. */
  guard: (rule: Rule) => onRequestAsyncHookHandler
  /** Whether the session that a stream was opened with still counts. Streams without a session are never ended by it. */
  isAlive?: (session: Session) => boolean
  /** The visitor's address. */
  addressOf: (request: FastifyRequest) => string
  /** Milliseconds between two frames, 2000 by default. */
  tickMs?: number
}

/** Who opened a stream; a visitor without an account has no person. */
interface Viewing {
  person: Person | undefined
  session: Session | undefined
}

/**
 * Registers `/api/v1/ws/server` (docs/contract/CONTRACT.md#103-wsserver): a frame at once, then one every two seconds.
 * Needs `@fastify/websocket` on `app`. The timer runs only while streams are open.
 */
export function registerLive(app: FastifyInstance, services: LiveServices): void {
  const { online, guard, addressOf, isAlive = () => true, tickMs = 2000 } = services
  const frames = createLiveFrames(services.store, services.machines)
  const viewers = new Map<LiveViewer, Viewing>()
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    const frameOf = new Map<string, FrameBytes>()
    const releases: (() => void)[] = []
    for (const [viewer, { person, session }] of viewers) {
      // Before the frame is sent: an ended session must see nothing more.
      if (session && !isAlive(session)) {
        viewer.end()
        continue
      }
      const audience = frames.audienceOf(person)
      let frame = frameOf.get(audience)
      if (!frame) {
        frame = frames.frame(person, online.count(), false)
        frameOf.set(audience, frame)
        releases.push(frame.hold())
      }
      viewer.send(frame)
    }
    for (const release of releases) release()
  }

  function connect(socket: WebSocket, request: FastifyRequest): void {
    const { person, session } = request
    const removeOnlineUser = online.add({
      person,
      address: addressOf(request),
      connectedAt: timestamp(),
      disconnect: () => socket.terminate(),
    })
    const viewer = createLiveViewer(socket)
    viewers.set(viewer, { person, session })
    timer ??= setInterval(tick, tickMs)
    socket.on('close', () => {
      removeOnlineUser()
      viewers.delete(viewer)
      if (viewers.size === 0) stopTimer()
    })
    const frame = frames.frame(person, online.count(), true)
    const release = frame.hold()
    viewer.send(frame)
    release()
  }

  function stopTimer(): void {
    clearInterval(timer)
    timer = undefined
  }

  app.addHook('onClose', async () => stopTimer())
  app.route({
    method: 'GET',
    url: '/api/v1/ws/server',
    onRequest: guard('anyone'),
    schema: { hide: true },
    handler: (_request, reply) => reply.code(400).type('text/plain; charset=utf-8').send('Bad Request\n'),
    wsHandler: connect,
  })
}
