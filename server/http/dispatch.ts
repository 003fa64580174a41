import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import type { Log } from '../log.ts'
import { type ConnectionOptions, limitConnections } from './connectionLimits.ts'
import { type SortedConnections, sortConnections } from './sortConnections.ts'
import { readFirstCertificate, type TlsFiles, watchCertificate } from './tlsCertificate.ts'

/** Host names whose requests do not belong to the app: they are forwarded to a service elsewhere. */
export interface ForwardedHosts {
  /** Whether a request is for one of these names. */
  isForwarded(request: IncomingMessage): boolean
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
  /** Who takes the connections of HTTP/2, which agents use. Until it is called they are ended. */
  acceptHttp2(accept: (socket: Socket) => void): void
  /** Ends what would hold up the end of the server: connections that have said nothing yet. */
  close(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    dispatch: Dispatch
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
}

/** @throws StartError when the certificate cannot be used */
export function createDispatch({ timeoutMs, tls, log, connections }: DispatchOptions): Dispatch {
  const certificate = tls && readFirstCertificate(tls)
  let sorted: SortedConnections | undefined
  let endWatching = () => {}
  let forwarded: ForwardedHosts | undefined
  let acceptHttp2 = (socket: Socket): void => void socket.destroy()

  function serverFactory(...[handle, { keepAliveTimeout }]: Parameters<FastifyServerFactory>): Server {
    const options: ServerOptions = {
      // Node looks for late requests at intervals only.
      ...{ connectionsCheckingInterval: timeoutMs / 2, headersTimeout: timeoutMs, requestTimeout: 0 },
      keepAliveTimeout: Number(keepAliveTimeout),
      shouldUpgradeCallback: (request) => !forwarded?.isForwarded(request) || forwarded.isUpgrade(request),
    }
    const server = createServer(options, (request, response) => {
      if (forwarded?.isForwarded(request)) return void forwarded.handleRequest(request, response)
      limitBodyTime(server, request, response, timeoutMs)
      handle(request, response)
    })
    const sorting = sortConnections(server, {
      certificate,
      acceptHttp2(socket, tcp) {
        // The connections of agents have limits of their own: many may come from one address.
        limited.release(tcp)
        acceptHttp2(socket)
      },
    })
    sorted = sorting
    if (tls && certificate) endWatching = watchCertificate(tls, certificate, { onChange: sorting.setCertificate, log })
    const limited = limitConnections(server, connections)
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
    close() {
      endWatching()
      sorted?.endSilent()
    },
  }
}

/** Ends a request whose body does not arrive in time, so that slow ones cannot take all places. */
function limitBodyTime(server: Server, request: IncomingMessage, response: ServerResponse, timeoutMs: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (coding === undefined && Number(length) === 0) return
  const timer = setTimeout(() => {
    if (response.headersSent) request.socket.destroy()
    else server.emit('clientError', timeoutError(), request.socket)
  }, timeoutMs)
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
}

/** The error that Node itself would raise. */
const timeoutError = () => Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

function routeUpgrades({ server }: FastifyInstance, hosts: ForwardedHosts): void {
  const listeners = server.listeners('upgrade')
  server.removeAllListeners('upgrade')
  server.on('upgrade', (request, socket, head) => {
    if (hosts.isForwarded(request)) return void hosts.handleUpgrade(request, socket, head)
    for (const listener of listeners) listener.call(server, request, socket, head)
  })
}
