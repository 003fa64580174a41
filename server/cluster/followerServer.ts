import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { addressGroup } from '../auth/addresses/clientAddress.ts'
import { createPlaceQueue, type PlaceLimits } from '../concurrency/placeQueue.ts'
import { untilSo } from '../concurrency/untilSo.ts'
import { hasFirstMessage, offeredProtocols, sniffStart } from '../http/sniffStart.ts'
import { readFirstCertificate, type TlsFiles, watchCertificate } from '../http/tlsCertificate.ts'
import type { Log } from '../log.ts'
import { openLink } from './nodeLinks.ts'

/** What a node answers while it does not lead: it passes every connection on to the leader, but those of agents. */
export interface FollowerServer {
  readonly server: Server
  /**
   * This node leads now: those who wait for a leader get to it. Another server listens in place of this one from then on,
   * which must not be closed.
   * @param isHandedOver whether the leader of before has given the lead to it, and passes on what still reaches it
   */
  lead(accept: (visitor: Socket) => void, isHandedOver: boolean): void
  /** The leader does not answer this node: ends the connections that were passed on to it. */
  endLinked(): void
  /** Says at `/readyz` for a while that this node ends, then stops listening and lets what is under way come to its end. */
  drain(): Promise<void>
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
  /** Milliseconds that a connection waits for a leader. Default: ten seconds. */
  holdMs?: number
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

/** Milliseconds that a connection waits for the next leader, and between two tries: most changes of leader take less. */
const [defaultHoldMs, retryMs] = [10_000, 200]

const [unavailable, leaving] = ['503 Service Unavailable', '404 Not Found']

/**
 * What `/readyz` answers while a node is about to end. To most of those who ask it is no other failure than any; HAProxy can
 * be told that it means: send nobody new here, and let what is under way come to its end (`http-check disable-on-404`).
 */
export const leavingReply = { status: 404, text: 'This node is about to end.\n' }

/** What is said to who has waited for a leader in vain. */
export const nobodyLeads = 'no server leads this cluster at the moment: nothing was saved; try again in a few seconds'

/**
 * Milliseconds for which a node that is stopped still takes connections, and says at `/readyz` that it will not: what
 * sends people to nodes asks every second or two, and believes the third answer.
 */
export const farewellMs = 4000
/** Milliseconds that what is under way has at its end, and after which nothing said on a connection means that nothing is. */
const [drainMs, quietMs] = [1000, 100]
/** Milliseconds for which a leader that has handed the lead over passes on what reaches it. */
const handedOverMs = 20_000

/** @throws StartError when the certificate cannot be used */
export function createFollowerServer(options: FollowerOptions): FollowerServer {
  const { key, leaderAddress, isReady, acceptAgent, tls: ownTls, limits, holdMs = defaultHoldMs } = options
  const open = new Set<Socket>()
  /** Visitors whose connections go to a leader, and what says whether something is under way there. */
  const linked = new Map<Socket, { lastIsVisitors: boolean; at: number }>()
  let isEnding = false
  /** Takes connections when this node leads itself. */
  let accept: ((visitor: Socket) => void) | undefined
  const tls = ownTls && createTls(ownTls, acceptAgent)
  const places = createPlaceQueue({ ...defaultLimits, ...limits })

  /** @param until when it is told that there is no leader, by the monotonic clock */
  function pass(visitor: Socket, first: Buffer, onLinked: () => void, until = performance.now() + holdMs): void {
    if (visitor.destroyed) return
    if (accept) {
      onLinked()
      accept(visitor)
      return
    }
    const again = () => {
      if (accept || performance.now() < until) setTimeout(pass, retryMs, visitor, first, onLinked, until)
      else refuse(visitor, first)
    }
    const address = leaderAddress()
    if (address === undefined) again()
    else link(address, visitor, onLinked, again)
  }

  /** @param onFailure called when the leader has not been reached: it knows of nothing that the visitor has sent */
  function link(address: string, visitor: Socket, onLinked: () => void, onFailure: () => void): void {
    const link = openLink(address, key, visitor)
    const end = () => void link.destroy()
    const failed = () => {
      visitor.off('close', end)
      onFailure()
    }
    visitor.once('close', end)
    link.once('secureConnect', () => {
      if (accept) return end()
      const said = { lastIsVisitors: true, at: performance.now() }
      linked.set(visitor, said)
      visitor.once('close', () => linked.delete(visitor))
      visitor.off('close', end)
      link.off('close', failed)
      onLinked()
      link.setKeepAlive(true, 30_000)
      for (const [from, to] of [
        [visitor, link],
        [link, visitor],
      ] as const) {
        from.pipe(to)
        from.on('data', () => {
          said.lastIsVisitors = from === visitor
          said.at = performance.now()
        })
        from.once('close', () => {
          to.setTimeout(lingerMs, () => to.destroy())
          to.destroySoon()
        })
      }
    })
    link.once('close', failed)
    link.on('error', () => {})
  }

  function answer(visitor: Socket, first: Buffer, onLinked: () => void): void {
    const path = /^(?:GET|HEAD) (\/livez|\/readyz)[ ?]/.exec(first.toString('latin1', 0, 32))?.[1]
    if (path === '/livez' || (path === '/readyz' && isReady() && !isEnding))
      end(visitor, '200 OK', 'text/plain', 'ok\n')
    else if (path && isEnding) end(visitor, leaving, 'text/plain', leavingReply.text)
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

  function endLinked(): void {
    for (const visitor of linked.keys()) visitor.destroy()
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
    lead(next, isHandedOver) {
      accept = next
      tls?.close()
      if (isHandedOver) setTimeout(endLinked, handedOverMs).unref()
      // A leader of before may be cut off and know of nothing: nobody must go on with it.
      else endLinked()
    },
    endLinked,
    async drain() {
      isEnding = true
      await delay(farewellMs)
      server.close()
      const isQuiet = (said: { lastIsVisitors: boolean; at: number }) =>
        !said.lastIsVisitors && performance.now() - said.at >= quietMs
      await untilSo(drainMs, () => [...linked.values()].every(isQuiet))
    },
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
  end(visitor, unavailable, 'application/json; charset=utf-8', JSON.stringify({ error: nobodyLeads }))
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
