import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroup } from '../auth/addresses/canonicalAddress.ts'
import { createOpenCounter, type OpenLimits } from './openCounter.ts'

export interface ConnectionOptions {
  /** Whether this address may be a proxy, whose connections are those of many visitors. */
  isProxy(address: string): boolean
  /** Called with a sentence for the operator. */
  onRefusal(text: string): void
  limits?: OpenLimits
}

export interface ConnectionLimits {
  /** Counts a connection no longer: whoever takes it over has limits of their own. */
  release(socket: Socket): void
}

/** Each costs memory and a file descriptor, whether it sends anything or not. Browsers open six for a page. */
const defaultLimits: OpenLimits = { perKey: 512, total: 4096 }
/** The share of the total from which connections are not kept for another request. */
const crowdedShare = 0.5
/** Refused connections that may wait for their client to read why, and for how many milliseconds. */
const lingering = { total: 256, ms: 1000 }

/**
 * Limits the connections that are open at the same time, from each address (IPv6: from each /64 network) and in total.
 * What comes beyond is answered with 503 and closed. From half of the total on, each connection ends with its reply: kept
 * for another request, those of a crowd would take all places. To be called when all listeners for connections are there.
 */
export function limitConnections(server: Server, options: ConnectionOptions): ConnectionLimits {
  const { isProxy, onRefusal, limits = defaultLimits } = options
  const open = createOpenCounter(limits)
  const refused = createOpenCounter({ perKey: lingering.total, total: lingering.total })
  const releases = new WeakMap<Socket, () => void>()
  const accept = server.listeners('connection')
  function refuse(socket: Socket, reached: 'key' | 'total', address: string): void {
    const from = reached === 'key' ? ` from ${address}` : ''
    const max = reached === 'key' ? limits.perKey : limits.total
    onRefusal(`Connections are refused: ${max} are open${from}, which is the limit (docs/decisions/limits.md).`)
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
    const address = addressGroup(socket.remoteAddress ?? '')
    const release = open.add(isProxy(address) ? '' : address)
    if (typeof release === 'string') return refuse(socket, release, address)
    releases.set(socket, release)
    socket.once('close', release)
    for (const listener of accept) listener.call(server, socket)
  })
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (open.count() >= limits.total * crowdedShare) response.setHeader('connection', 'close')
  })
  return { release: (socket) => releases.get(socket)?.() }
}

function refusal(reached: 'key' | 'total'): string {
  const where = reached === 'key' ? 'your address' : 'all visitors'
  const body = JSON.stringify({ error: `too many connections of ${where} at the same time: try again in a minute` })
  const head = [
    ...['HTTP/1.1 503 Service Unavailable', 'content-type: application/json; charset=utf-8', 'retry-after: 60'],
    ...[`content-length: ${Buffer.byteLength(body)}`, 'connection: close'],
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
