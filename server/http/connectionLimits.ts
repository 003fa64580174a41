import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroup } from '../auth/addresses/clientAddress.ts'
import { createPlaceQueue, type PlaceLimits } from '../concurrency/placeQueue.ts'
import { createOpenCounter } from './openCounter.ts'
import type { WarnRarely } from './rareWarning.ts'

export interface ConnectionOptions {
  /** Whether this address may be a proxy, whose connections are those of many visitors. */
  isProxy(address: string): boolean
  /** Called with a sentence for the operator. */
  onRefusal: WarnRarely
  /** Called when a connection was accepted. */
  onAccept?(): void
  limits?: Partial<PlaceLimits>
}

export interface ConnectionLimits {
  /**
   * Counts a request over HTTP/2, or its connection, like a connection of HTTP/1.1: calls `onPlace` when there is a place
   * for it, at once or after a moment, or `onRefused` with a sentence for the client.
   * @param address of the other end
   * @returns a function to call at its end
   */
  enter(address: string, callbacks: { onPlace(): void; onRefused(sentence: string): void }): () => void
  /** Whether connections are not kept for another request. */
  isCrowded(): boolean
  /** How many connections and requests are counted now. */
  count(): number
  /** Stops counting a connection that was handed to a part of the server with limits of its own. */
  release(socket: Socket): void
}

/**
 * Each costs memory and a file descriptor, whether it sends anything or not. Browsers open six for a page. After a restart
 * thousands of agents come at once, and leave this count as soon as their first bytes have been read: the others wait.
 */
const defaultLimits: PlaceLimits = { perKey: 512, total: 4096, waiting: 8192, waitMs: 3000 }
/** The share of the total from which connections are not kept for another request. */
const crowdedShare = 0.5
/** Refused connections that may wait for their client to read why, and for how many milliseconds. */
const lingering = { total: 256, ms: 1000 }

/**
 * Limits the connections that are open at the same time, from each address (IPv6: from each /64 network) and in total.
 * A connection beyond them waits for a place, for a moment, and is then answered with 503 and closed. From half of the
 * total on, each connection ends with its reply: kept alive for another request, idle ones would take all places. To be
 * called when all listeners for connections are there.
 */
export function limitConnections(server: Server, options: ConnectionOptions): ConnectionLimits {
  const { isProxy, onRefusal, onAccept = () => {} } = options
  const limits = { ...defaultLimits, ...options.limits }
  const open = createPlaceQueue(limits)
  const refused = createOpenCounter({ perKey: lingering.total, total: lingering.total })
  const releases = new WeakMap<Socket, () => void>()
  const accept = server.listeners('connection')
  const isCrowded = () => open.count() >= limits.total * crowdedShare
  const keyOf = (group: string) => (isProxy(group) ? '' : group)

  function report(reached: 'key' | 'total', group: string): void {
    const from = reached === 'key' ? ` from ${group}` : ''
    const max = reached === 'key' ? limits.perKey : limits.total
    const text = `Connections are refused: ${max} are open${from}, which is the limit (docs/decisions/limits.md).`
    onRefusal(text, 'connections')
  }

  function refuse(socket: Socket, reached: 'key' | 'total', address: string): void {
    report(reached, address)
    const end = refused.add('')
    // Errors of a connection that is being closed anyway.
    socket.on('error', () => {})
    if (typeof end === 'string') return void socket.destroy()
    const timer = setTimeout(() => socket.destroy(), lingering.ms)
    socket.once('close', () => {
      clearTimeout(timer)
      end()
    })
    socket.resume().end(refusal(reached))
  }

  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    onAccept()
    const address = addressGroup(socket.remoteAddress ?? '')
    // Errors while it waits; 'close' follows.
    const ignore = () => {}
    socket.on('error', ignore)
    const release = open.enter(keyOf(address), {
      onPlace() {
        socket.off('error', ignore)
        for (const listener of accept) listener.call(server, socket)
      },
      onRefused: (reached) => refuse(socket, reached, address),
    })
    releases.set(socket, release)
    socket.once('close', release)
  })
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (isCrowded()) response.setHeader('connection', 'close')
  })
  return {
    isCrowded,
    count: open.count,
    release(socket) {
      const release = releases.get(socket)
      if (!release) return
      release()
      releases.delete(socket)
      socket.off('close', release)
    },
    enter(address, { onPlace, onRefused }) {
      const group = addressGroup(address)
      return open.enter(keyOf(group), {
        onPlace,
        onRefused(reached) {
          report(reached, group)
          onRefused(sentence(reached))
        },
      })
    },
  }
}

function sentence(reached: 'key' | 'total'): string {
  const where = reached === 'key' ? 'your address' : 'all visitors'
  return `too many connections of ${where} at the same time: try again in a minute`
}

function refusal(reached: 'key' | 'total'): string {
  const body = JSON.stringify({ error: sentence(reached) })
  const head = [
    'HTTP/1.1 503 Service Unavailable',
    'content-type: application/json; charset=utf-8',
    'retry-after: 60',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
