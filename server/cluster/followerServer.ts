import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { addressGroup } from '../auth/addresses/canonicalAddress.ts'
import { createPlaceQueue, type PlaceLimits } from '../concurrency/placeQueue.ts'
import { hasFirstMessage, offeredProtocols } from '../http/offeredProtocols.ts'
import { sniffStart } from '../http/sniffStart.ts'
import { readFirstCertificate, type TlsFiles, watchCertificate } from '../http/tlsCertificate.ts'
import type { Log } from '../log.ts'
import { openLink } from './nodeLinks.ts'

/** What a node answers while it does not lead: it passes every connection on to the leader, but those of agents. */
export interface FollowerServer {
  readonly server: Server
  /** Stops listening, and ends the connections that were passed on. Those of agents stay with who has taken them. */
  close(): Promise<void>
}

interface FollowerOptions {
  key: Buffer
  leaderAddress(): string | undefined
  /** Whether people can be sent here. */
  isReady(): boolean
  /** Takes the connections of HTTP/2 that are those of agents, as far as that can be told. */
  acceptAgent(socket: Socket): void
  /** With it, agents speak TLS, which ends here. */
  tls?: { files: TlsFiles; log: Log }
  limits?: Partial<PlaceLimits>
}

/** Milliseconds for the first bytes of a connection, and for one end to read the rest after the other has closed. */
const [beginMs, lingerMs] = [10_000, 10_000]
/** Connections that are open at the same time. */
const maxConnections = 20_000
/**
 * Of them, those that the leader does not know of: from each address (IPv6: from each /64 network) and in total. What
 * has reached the leader has the limits of the leader, which tell visitors, proxies and agents apart.
 */
const defaultLimits: PlaceLimits = { perKey: 512, total: 4096, waiting: 8192, waitMs: 3000 }

/** How HTTP/2 and TLS begin. Over TLS, agents offer nothing but HTTP/2, and browsers HTTP/1.1 as well. */
const [http2Start, tlsStart] = ['PRI', '\x16']

const unavailable = '503 Service Unavailable'

/** @throws StartError when the certificate cannot be used */
export function createFollowerServer(options: FollowerOptions): FollowerServer {
  const { key, leaderAddress, isReady, acceptAgent, tls: ownTls, limits } = options
  const open = new Set<Socket>()
  const tls = ownTls && createTls(ownTls, acceptAgent)
  const places = createPlaceQueue({ ...defaultLimits, ...limits })

  function pass(visitor: Socket, first: Buffer, onLinked: () => void): void {
    const address = leaderAddress()
    if (!address) {
      refuse(visitor, first)
      return
    }
    const link = openLink(address, key, visitor)
    let isLinked = false
    link.once('secureConnect', () => {
      isLinked = true
      onLinked()
      link.setKeepAlive(true, 30_000)
    })
    link.on('error', () => {
      if (!isLinked) refuse(visitor, first)
    })
    for (const [from, to] of [
      [visitor, link],
      [link, visitor],
    ] as const) {
      from.pipe(to)
      from.once('close', () => {
        to.setTimeout(lingerMs, () => to.destroy())
        if (to === link || isLinked) to.destroySoon()
      })
    }
  }

  function answer(visitor: Socket, first: Buffer, onLinked: () => void): void {
    const path = /^(?:GET|HEAD) (\/livez|\/readyz)[ ?]/.exec(first.toString('latin1', 0, 32))?.[1]
    if (path === '/livez' || (path === '/readyz' && isReady())) end(visitor, '200 OK', 'text/plain', 'ok\n')
    else if (path) end(visitor, unavailable, 'text/plain', 'There is no leader that this node can reach.\n')
    else pass(visitor, first, onLinked)
  }

  /** @param release gives its place back */
  function take(visitor: Socket, { start, first, release }: { start: string; first: Buffer; release(): void }): void {
    if (tls ? offeredProtocols(first).join() !== 'h2' : start !== http2Start) answer(visitor, first, release)
    else {
      // Agents have limits of their own, and stay when this node leads.
      open.delete(visitor)
      if (tls) tls.accept(visitor, release)
      else {
        release()
        acceptAgent(visitor)
      }
    }
  }

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 }, (visitor) => {
    open.add(visitor)
    visitor.once('close', () => open.delete(visitor))
    visitor.on('error', () => {})
    const release = places.enter(addressGroup(visitor.remoteAddress ?? ''), {
      onPlace() {
        const options = { expected: [http2Start, tlsStart], timeoutMs: beginMs, isEnough: hasFirstMessage }
        sniffStart(visitor, options, (start, first) => take(visitor, { start, first, release }))
      },
      onRefused: () => visitor.destroy(),
    })
    visitor.once('close', release)
  })
  server.maxConnections = maxConnections

  return {
    server,
    async close() {
      // The port is free then; the end of the server is that of the last connection, and those of agents stay.
      server.close()
      for (const visitor of open) visitor.destroy()
      tls?.close()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** Ends TLS for agents. */
function createTls({ files, log }: NonNullable<FollowerOptions['tls']>, acceptAgent: (socket: Socket) => void) {
  /** Who is told that a connection has agreed on keys, by its other end. */
  const agreed = new Map<string, () => void>()
  const certificate = readFirstCertificate(files)
  const server = createTlsServer({ ...certificate, handshakeTimeout: beginMs, ALPNProtocols: ['h2'] }, (socket) => {
    agreed.get(peerOf(socket))?.()
    acceptAgent(socket)
  })
  // Who does not trust the certificate; the connection is ended by itself.
  server.on('tlsClientError', () => {})
  return {
    accept(socket: Socket, onAgreed: () => void) {
      const peer = peerOf(socket)
      agreed.set(peer, onAgreed)
      socket.once('close', () => agreed.delete(peer))
      server.emit('connection', socket)
    },
    close: watchCertificate(files, certificate, { onChange: (next) => server.setSecureContext(next), log }),
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** Whoever speaks HTTP/1.1 is told why; agents and browsers with TLS try again by themselves. */
function refuse(visitor: Socket, first: Buffer): void {
  if (!/^[A-Z]+ \/[^\r\n]* ?/.test(first.toString('latin1', 0, 64))) return void visitor.destroy()
  const text = 'no server leads this cluster at the moment: nothing was saved; try again in a few seconds'
  end(visitor, unavailable, 'application/json; charset=utf-8', JSON.stringify({ error: text }))
}

function end(visitor: Socket, status: string, type: string, body: string): void {
  const head = [
    `HTTP/1.1 ${status}`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
    ...(status === unavailable ? ['retry-after: 5'] : []),
  ]
  visitor.resume().end(`${head.join('\r\n')}\r\n\r\n${body}`)
  visitor.setTimeout(lingerMs, () => visitor.destroy())
}
