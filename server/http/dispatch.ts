import { createServer, type IncomingMessage, Server, type ServerOptions, type ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex, Writable } from 'node:stream'
import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import { arrivals } from '../concurrency/arrivals.ts'
import type { Load } from '../concurrency/load.ts'
import { untilSo } from '../concurrency/untilSo.ts'
import type { Log } from '../log.ts'
import { answerInTurn, endUnread, isAnswering, type ReplyLimits } from './answerInTurn.ts'
import { type ConnectionLimits, type ConnectionOptions, limitConnections } from './connectionLimits.ts'
import { createHttp2Requests, type ServeHttp2Stream, sendError } from './http2Requests.ts'
import { hasBody, isSocketRequest } from './requestLimits.ts'
import { type SortedConnections, sortConnections } from './sortConnections.ts'
import { readFirstCertificate, type TlsFiles, watchCertificate } from './tlsCertificate.ts'

/** Host names whose requests do not belong to the app: they are forwarded to a service elsewhere. */
export interface ForwardedHosts {
  /** @param host a Host header, or a name alone */
  isForwarded(host: string | undefined): boolean
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Whether a request asks for another protocol, such as WebSocket. */
  isUpgrade(request: IncomingMessage): boolean
  /** @param head what came behind the request already */
  handleUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void>
}

/** Decides by the name in the Host header who answers a request: the app or a forwarded service. */
export interface Dispatch {
  serverFactory: FastifyServerFactory
  /** From now on, requests for these names never reach the app. To be called when all listeners for upgrades are there. */
  forward(app: FastifyInstance, hosts: ForwardedHosts): void
  /**
   * Who takes the connections of HTTP/2. Until it is called they are ended, and browsers get HTTP/1.1.
   * @param accept gets a connection, and who answers its streams that are no calls of agents
   */
  acceptHttp2(accept: (socket: Socket, serveStream: ServeHttp2Stream) => void): void
  /**
   * Waits for a moment until the requests that are under way are answered, and stops listening.
   * @param passOn answers what arrives from now on over HTTP/1.1; requests over HTTP/2 are refused unbegun. With it, this
   *   server goes on listening until `end`, also when the app is closed
   */
  drain(ms: number, passOn?: PassOn): Promise<void>
  /** Stops listening after that, and waits for a moment until everything is answered. */
  end(ms: number): Promise<void>
  /** How many connections with HTTP/1.1 and requests over HTTP/2 are open; those of agents do not count. */
  connectionCount(): number
  /** Ends what would hold up the end of the server: connections that have said nothing yet. */
  close(): void
}

/** Answers requests in place of the app. */
type PassOn = (request: IncomingMessage, response: ServerResponse) => void

declare module 'fastify' {
  interface FastifyInstance {
    dispatch: Dispatch
    /** Whether this server can do what it is asked for in time. */
    load: Load
  }
}

interface DispatchOptions {
  /**
   * Milliseconds for the head of a request to arrive and, where it is the app's, for the whole of it: what is sent to a
   * forwarded service may be of any size.
   */
  timeoutMs: number
  /** With it browsers and agents are answered with TLS only. */
  tls?: TlsFiles
  log: Log
  connections: ConnectionOptions
  replies?: Partial<ReplyLimits>
  /** How late this server is with the work of agents. */
  load: Pick<Load, 'agentWork'>
}

/** @throws StartError when the certificate cannot be used */
export function createDispatch({ timeoutMs, tls, log, connections, replies, load }: DispatchOptions): Dispatch {
  const replyLimits = { onRefusal: connections.onRefusal, limits: replies }
  const certificate = tls && readFirstCertificate(tls)
  let sorted: SortedConnections | undefined
  let limits: ConnectionLimits | undefined
  let endWatching = () => {}
  let forwarded: ForwardedHosts | undefined
  let acceptHttp2: ((socket: Socket, serveStream: ServeHttp2Stream) => void) | undefined
  let listening: Server | undefined
  let isDraining = false
  let passOn: PassOn | undefined
  /** Replies that are not complete yet. */
  const answering = new Set<Writable>()

  function answers(response: Writable): void {
    answering.add(response)
    response.once('close', () => answering.delete(response))
  }

  function serverFactory(...[handle, { keepAliveTimeout }]: Parameters<FastifyServerFactory>): Server {
    const options: ServerOptions = {
      // Node looks for late requests at intervals only.
      connectionsCheckingInterval: timeoutMs / 2,
      headersTimeout: timeoutMs,
      requestTimeout: 0,
      keepAliveTimeout: Number(keepAliveTimeout),
      shouldUpgradeCallback: (request) =>
        !isAnswering(request.socket) &&
        (forwarded?.isForwarded(request.headers.host) ? forwarded.isUpgrade(request) : isSocketRequest(request)),
    }
    const server = createServer(options, (request, response) => {
      answers(response)
      // Whoever asks again does so at the next leader.
      if (isDraining) response.setHeader('connection', 'close')
      if (passOn) return passOn(request, response)
      if (forwarded?.isForwarded(request.headers.host)) return void forwarded.handleRequest(request, response)
      limitBodyTime(request, timeoutMs, () => {
        if (response.headersSent) request.socket.destroy()
        else server.emit('clientError', timeoutError(), request.socket)
      })
      handle(request, response)
    })
    listening = server
    const sorting = sortConnections(server, {
      certificate,
      // Forwarded services are asked in HTTP/1.1, and may need WebSockets. New connections of HTTP/2 wait with those of
      // agents while there is more to do.
      prefersHttp2: (name) =>
        acceptHttp2 !== undefined && !passOn && load.agentWork.count() === 0 && !forwarded?.isForwarded(name),
      inTurn: load.agentWork.add,
      acceptHttp2(socket, tcp) {
        // The connections of agents have limits of their own: many may come from one address.
        limited.release(tcp)
        if (acceptHttp2 && !passOn) acceptHttp2(socket, serveStream)
        else socket.destroy()
      },
    })
    sorted = sorting
    if (tls && certificate) endWatching = watchCertificate(tls, certificate, { onChange: sorting.setCertificate, log })
    const limited = limitConnections(server, { ...connections, onAccept: arrivals.add })
    limits = limited
    answerInTurn(server, replyLimits)
    const serveStream = createHttp2Requests({
      limits: limited,
      handle(request, response) {
        const { stream } = response
        answers(stream)
        if (passOn) return sendAway(stream)
        // A browser uses its connection for other names of the same certificate too, and tries again by one of their own.
        if (forwarded?.isForwarded(request.headers.host)) {
          sendError(stream, 421, 'this name is not served over this connection')
          return
        }
        const address = stream.session?.socket?.remoteAddress
        const end = endUnread(response, { ...replyLimits, address, end: () => stream.close(constants.NGHTTP2_CANCEL) })
        stream.once('close', end)
        limitBodyTime(request, timeoutMs, () => sendError(stream, 408, 'the body did not arrive in time'))
        handle(request as unknown as IncomingMessage, response as unknown as ServerResponse)
      },
    })
    return server
  }

  return {
    serverFactory,
    forward(app, hosts) {
      forwarded = hosts
      routeUpgrades(app, hosts)
    },
    acceptHttp2(accept) {
      acceptHttp2 = accept
    },
    async drain(ms, passOnTo) {
      isDraining = true
      const before = [...answering]
      if (passOnTo && listening) {
        passOn = passOnTo
        refuseUpgrades(listening)
        // What closes the app closes its server, and here somebody is still answered.
        Object.assign(listening, { close: (done?: () => void) => done?.(), closeAllConnections() {} })
      } else listening?.close()
      await untilSo(ms, () => (passOn ? before.every((response) => !answering.has(response)) : answering.size === 0))
    },
    async end(ms) {
      if (!listening) return
      sorted?.endSilent()
      Server.prototype.close.call(listening)
      await untilSo(ms, () => answering.size === 0)
      Server.prototype.closeAllConnections.call(listening)
    },
    connectionCount: () => limits?.count() ?? 0,
    close() {
      endWatching()
      if (!passOn) sorted?.endSilent()
    },
  }
}

/**
 * A connection of HTTP/2 ends with the app. Whoever is told that nothing was done asks again by a new one, which speaks
 * HTTP/1.1 then: browsers do so by themselves.
 */
function sendAway(stream: ServerHttp2Stream): void {
  const { session } = stream
  stream.close(constants.NGHTTP2_REFUSED_STREAM)
  if (session && !session.closed && !session.destroyed) session.close()
}

/** What is opened for longer would end with this server in a moment: whoever opens it does so again at another one. */
function refuseUpgrades(server: Server): void {
  server.removeAllListeners('upgrade')
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  })
}

/** Calls `onLate` when the body of a request does not arrive in time, so that slow ones cannot take all places. */
function limitBodyTime(request: IncomingMessage | Http2ServerRequest, timeoutMs: number, onLate: () => void): void {
  if (!hasBody(request)) return
  const timer = setTimeout(onLate, timeoutMs)
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
}

/** The error that Node itself would raise. */
const timeoutError = () => Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

function routeUpgrades({ server }: FastifyInstance, hosts: ForwardedHosts): void {
  const listeners = server.listeners('upgrade')
  server.removeAllListeners('upgrade')
  server.on('upgrade', (request, socket, head) => {
    if (hosts.isForwarded(request.headers.host)) return void hosts.handleUpgrade(request, socket, head)
    for (const listener of listeners) listener.call(server, request, socket, head)
  })
}
