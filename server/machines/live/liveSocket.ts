import type {} from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { OnlineUsers } from '../../auth/blocking/onlineUsers.ts'
import type { Session } from '../../auth/sessions/sessions.ts'
import { repeat } from '../../concurrency/repeat.ts'
import type { Store } from '../../db/store.ts'
import type { Guard } from '../../http/routes/guard.ts'
import type { Log } from '../../log.ts'
import type { Person } from '../../person.ts'
import { timestamp } from '../../wire/timestamp.ts'
import type { Machines } from '../machines.ts'
import type { ServerAccess } from '../serverAccess.ts'
import { createLiveFrames } from './liveFrame.ts'
import { createLiveViewer, type LiveViewer } from './liveViewer.ts'

export interface LiveServices {
  store: Store
  log: Pick<Log, 'error'>
  machines: Machines
  access: ServerAccess
  online: OnlineUsers
  /** The hook that sets `request.person`. */
  guard: Guard
  /** Whether the session or token that a stream was opened with is still valid; true for a stream with neither. */
  isAlive?: (viewing: Viewing) => boolean
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
  const frames = createLiveFrames(services.store, services.machines, services.access)
  const viewers = new Map<LiveViewer, Viewing>()
  const ticks = repeat(tickUnlessBusy, {
    intervalMs: tickMs,
    log: services.log,
    failure: 'A frame of the live stream could not be made:',
  })
  let isTicking = false

  /** Ends a stream that is no longer allowed. @returns whether it goes on */
  function stays(viewer: LiveViewer, viewing: Viewing): boolean {
    if (isAlive(viewing)) return true
    viewer.end()
    return false
  }

  async function tick(): Promise<void> {
    const personOf = new Map<string, Person | undefined>()
    for (const [viewer, viewing] of viewers) {
      if (stays(viewer, viewing)) personOf.set(frames.audienceOf(viewing.person), viewing.person)
    }
    for (const [audience, person] of personOf) {
      const frame = await frames.frame(person, online.count(), false)
      const release = frame.hold()
      // Again: a session may have ended while the frame was made.
      for (const [viewer, viewing] of viewers) {
        if (frames.audienceOf(viewing.person) === audience && stays(viewer, viewing)) viewer.send(frame)
      }
      release()
    }
  }

  async function tickUnlessBusy(): Promise<void> {
    if (isTicking) return
    isTicking = true
    await tick().finally(() => {
      isTicking = false
    })
  }

  async function connect(socket: WebSocket, request: FastifyRequest): Promise<void> {
    const { person, session } = request
    const removeOnlineUser = online.add({
      person,
      address: addressOf(request),
      connectedAt: timestamp(),
      disconnect: () => socket.terminate(),
    })
    const viewer = createLiveViewer(socket)
    const viewing = { person, session }
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
      removeOnlineUser()
      viewers.delete(viewer)
      if (viewers.size === 0) ticks.stop()
    })
    const frame = await frames.frame(person, online.count(), true)
    if (isClosed || !stays(viewer, viewing)) return
    const release = frame.hold()
    viewer.send(frame)
    release()
    // From now on: its first frame must be that one.
    viewers.set(viewer, viewing)
    ticks.start()
  }

  app.addHook('onClose', async () => ticks.stop())
  app.route({
    method: 'GET',
    url: '/api/v1/ws/server',
    onRequest: guard('visitor', { scopes: ['nezha:inventory:read'], keepsToServers: true }),
    handler: (_request, reply) => reply.code(400).type('text/plain; charset=utf-8').send('Bad Request\n'),
    wsHandler: connect,
  })
}
