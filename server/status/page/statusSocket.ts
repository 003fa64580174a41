import type {} from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Log } from '../../log.ts'
import { createFrameMemory, type FrameBytes } from '../../machines/live/frameMemory.ts'
import { createLiveViewer, type LiveViewer } from '../../machines/live/liveViewer.ts'
import { timestamp } from '../../wire/timestamp.ts'
import { type CurrentStatus, frameOf, type Snapshot } from '../currentStatus.ts'

interface StatusSocketOptions {
  current: CurrentStatus
  log: Pick<Log, 'error'>
  /** Milliseconds between two frames, 2000 by default. */
  tickMs?: number
}

interface Visitor {
  viewer: LiveViewer
  /** Whether it has all frames so far; else the next one has everything. */
  isCurrent: boolean
  /** Whether it may go on. */
  stays(): boolean
}

/** Bytes per second for each visitor: with large frames there is more time between them. */
const bytesPerSecond = 32 * 1024

/**
 * Registers `/api/v1/ws/status`: the whole public status at once, then what has changed, in one frame for all visitors.
 * Nothing is read while no socket is open. Needs `@fastify/websocket` on `app`.
 */
export function registerStatusSocket(app: FastifyInstance, { current, log, tickMs = 2000 }: StatusSocketOptions): void {
  const { guard, onlineUsers, auth } = app
  const memory = createFrameMemory()
  const visitors = new Set<Visitor>()
  /** What the visitors have. */
  let sent: Snapshot | undefined
  /** Everything in one frame, for all who come between two ticks. */
  let whole: { snapshot: Snapshot; frame: FrameBytes; release(): void } | undefined
  let timer: NodeJS.Timeout | undefined

  function bytesOf(frame: string): FrameBytes {
    const bytes = memory.take()
    bytes.append(frame)
    return bytes
  }

  function wholeFrame(snapshot: Snapshot): FrameBytes {
    if (whole?.snapshot !== snapshot) {
      whole?.release()
      const frame = bytesOf(frameOf(snapshot))
      whole = { snapshot, frame, release: frame.hold() }
    }
    return whole.frame
  }

  function sendTo(receivers: Iterable<Visitor>, frame: FrameBytes): void {
    const release = frame.hold()
    for (const visitor of receivers) visitor.isCurrent = visitor.viewer.send(frame)
    release()
  }

  /** @returns milliseconds until the next frame */
  async function tick(): Promise<number> {
    const snapshot = await current.read()
    for (const visitor of visitors) {
      if (visitor.stays()) continue
      visitors.delete(visitor)
      visitor.viewer.end()
    }
    const { true: upToDate = [], false: behind = [] } = Object.groupBy(visitors, ({ isCurrent }) => `${isCurrent}`)
    const change = bytesOf(frameOf(snapshot, sent))
    const { length } = change.bytes
    sent = snapshot
    sendTo(upToDate, change)
    if (behind.length > 0) sendTo(behind, wholeFrame(snapshot))
    return Math.max(tickMs, (length / bytesPerSecond) * 1000)
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(async () => {
      const delay = await tick().catch((error: unknown) => {
        log.error('A frame of the status page could not be made:', error)
        return tickMs
      })
      if (visitors.size > 0) schedule(delay)
      else stop()
    }, delayMs)
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
    sent = undefined
    whole?.release()
    whole = undefined
  }

  async function connect(socket: WebSocket, request: FastifyRequest): Promise<void> {
    const { person, session, address } = request
    const removeOnlineUser = onlineUsers.add({
      person,
      address,
      connectedAt: timestamp(),
      disconnect: () => socket.terminate(),
    })
    const stays = () => auth.isAlive({ person, session })
    const visitor: Visitor = { viewer: createLiveViewer(socket), isCurrent: false, stays }
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
      removeOnlineUser()
      visitors.delete(visitor)
    })
    const snapshot = sent ?? (await current.read())
    if (isClosed) return
    // Several may have waited for the first one; the others get it too.
    sent ??= snapshot
    visitors.add(visitor)
    sendTo([visitor], wholeFrame(sent))
    if (!timer) schedule(tickMs)
  }

  app.addHook('onClose', async () => stop())
  app.route({
    method: 'GET',
    url: '/api/v1/ws/status',
    onRequest: guard('visitor', { beforeSetup: true }),
    handler: (_request, reply) => reply.code(400).type('text/plain; charset=utf-8').send('Bad Request\n'),
    wsHandler: connect,
  })
}
