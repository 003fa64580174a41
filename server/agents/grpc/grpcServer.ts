import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'
import { createPlaceQueue } from '../../concurrency/placeQueue.ts'
import type { WorkQueue } from '../../concurrency/workQueue.ts'
import { readArrived } from '../../http/sniffStart.ts'
import { dropIfClosed } from '../../http2Stream.ts'
import { createByteBudget } from './byteBudget.ts'
import { type GrpcCall, type GrpcConnection, Http2Call } from './grpcCall.ts'
import { type GrpcStatus, grpcCodes, internalError, statusTrailers } from './grpcStatus.ts'

/** The parameters of the event `stream`. */
type StreamEvent = [stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, rawHeaders: string[]]

/** Answers calls on sockets that it is handed (docs/decisions/grpc.md). */
export interface GrpcServer {
  /**
   * Serves HTTP/2 on a connection; bytes that were read already must have been put back.
   * @param serveStream answers streams that are no calls, and limits them. Default: they are refused.
   */
  accept(socket: Socket, serveStream?: (...event: StreamEvent) => void): void
  /** Whether a call on this connection has proved that its client may be here. */
  isAuthenticated(session: ServerHttp2Session): boolean
  /** Ends all calls with this status and all connections soon after. */
  close(status: GrpcStatus): void
}

export interface GrpcServerOptions {
  /** Handlers by path, as `/package.Service/Method`. */
  methods: ReadonlyMap<string, (call: GrpcCall) => void>
  /** Which calls are answered here; others are passed to `serveStream`. Default: all. */
  isCall?(path: string): boolean
  /** What is called with an error that a handler threw; the call has ended with "internal" then. */
  onError(error: unknown): void
  /** Where new connections wait for their turn, while there is more to do. */
  work: WorkQueue
  limits?: Partial<GrpcLimits>
  /** See `Store.whenShown`. Default: at once. */
  whenShown?(show: () => void): void
}

export interface GrpcLimits {
  /** Milliseconds in which a connection must have proved who it is. */
  authenticationMs: number
  /** Milliseconds without any call after which a connection is ended. */
  idleMs: number
  /** Connections that have not proved yet who they are: of one address, and altogether. Others wait for a place. */
  unauthenticatedPerAddress: number
  unauthenticated: number
  /** Connections that wait: after a restart thousands come at once. */
  waiting: number
  /** Calls at a time on one connection. */
  callsPerConnection: number
  /** Bytes of one message from a client, for methods that say no limit of their own. */
  messageBytes: number
  /** Bytes of memory for messages of one connection that have not arrived whole. */
  connectionBytes: number
}

/** AGENT.md has the reasons: agents send results of any size, and a proxy opens one connection for each call. */
const defaultLimits: GrpcLimits = {
  authenticationMs: 10_000,
  idleMs: 60_000,
  unauthenticatedPerAddress: 512,
  unauthenticated: 4096,
  waiting: 16_384,
  callsPerConnection: 250,
  messageBytes: 16 * 1024 * 1024,
  // The longest result of a command, while half of the next one is on its way.
  connectionBytes: 32 * 1024 * 1024,
}

/** Bytes that may be under way to us on one stream, and on one connection. */
const streamWindow = 1024 * 1024
const connectionWindow = 8 * 1024 * 1024
/** The same for a connection that has not proved who it is: what waits to be read fills the memory. */
const strangerWindow = 256 * 1024
/** Milliseconds between probes of TCP for an end that has vanished. */
const tcpKeepaliveMs = 30_000
/** Milliseconds in which the last frames of a connection are sent. */
const closingMs = 200

interface Connection extends GrpcConnection {
  readonly socket: Socket
  readonly session: ServerHttp2Session
  readonly calls: Set<GrpcCall>
  readonly serveStream: ((...event: StreamEvent) => void) | undefined
  timer: NodeJS.Timeout | undefined
  /** Calls and other streams. */
  openStreams: number
  isAuthenticated: boolean
  /** Whether only idleness ends it: it has proved who it is, or another part of the server limits its streams. */
  isKept: boolean
  keep(): void
  readonly closeListeners: (() => void)[]
}

/** An accepted connection that has not proved yet who it is. */
interface Arrival {
  readonly socket: Socket
  readonly serveStream: Connection['serveStream']
  /** Milliseconds of `performance.now()`, without the time for which it waited for its turn. */
  readonly at: number
  /** Gives back its place among the connections that have proved nothing. */
  release(): void
}

export function createGrpcServer(given: GrpcServerOptions): GrpcServer {
  const { methods, isCall = () => true, onError, work, whenShown = (show) => show(), ...options } = given
  const limits = { ...defaultLimits, ...options.limits }
  const connections = new Map<ServerHttp2Session, Connection>()
  const places = createPlaceQueue({
    perKey: limits.unauthenticatedPerAddress,
    total: limits.unauthenticated,
    waiting: limits.waiting,
    waitMs: limits.authenticationMs,
  })
  const callOptions = { maxBytes: limits.messageBytes, onError, whenShown }
  let isClosing = false
  /** The connection that is handed to Node at this moment; a session does not give its socket away. */
  let arriving: Arrival | undefined

  const server = createServer({
    settings: {
      initialWindowSize: streamWindow,
      maxConcurrentStreams: limits.callsPerConnection,
      maxHeaderListSize: 16 * 1024,
      enablePush: false,
    },
    // Otherwise a value with a space at its end would be dropped without a word, and its agent refused as one without it.
    strictFieldWhitespaceValidation: false,
    // Megabytes: streams that are paused keep up to a window each.
    maxSessionMemory: 64,
  })
  server.on('session', (session) => {
    if (arriving) register(session, arriving)
  })
  server.on('stream', (stream, headers, flags, rawHeaders) => {
    // Without a listener an error would end the server. A broken frame right behind the headers has ended the session
    // already, and the stream with it.
    stream.on('error', ignore)
    const connection = stream.session && connections.get(stream.session as ServerHttp2Session)
    if (connection) handle([stream, headers, flags, rawHeaders], connection)
    else stream.destroy()
  })
  // Broken frames; the session is destroyed by itself.
  server.on('sessionError', ignore)

  function register(session: ServerHttp2Session, { socket, serveStream, at, release }: Arrival): void {
    const connection: Connection = {
      address: socket.remoteAddress ?? '',
      port: socket.remotePort ?? 0,
      socket,
      session,
      calls: new Set(),
      serveStream,
      openStreams: 0,
      isKept: false,
      isAuthenticated: false,
      closeListeners: [],
      memory: createByteBudget(limits.connectionBytes),
      timer: setTimeout(endUnlessWaiting, Math.max(0, at + limits.authenticationMs - performance.now())),
      keep() {
        connection.isKept = true
        clearTimeout(connection.timer)
        connection.timer = undefined
        release()
      },
      authenticated() {
        if (connection.isAuthenticated || session.destroyed) return
        connection.isAuthenticated = true
        session.setLocalWindowSize(connectionWindow)
        connection.keep()
      },
      onClose(listener) {
        // A call may wait for its turn longer than its connection lasts.
        if (connections.has(session)) connection.closeListeners.push(listener)
        else listener()
      },
    }
    /** Its call may wait for its turn; it is not late then, but this server is. */
    function endUnlessWaiting(): void {
      if (connection.openStreams > 0 && work.count() > 0) {
        connection.timer = setTimeout(endUnlessWaiting, limits.authenticationMs)
      } else endConnection(connection)
    }
    connections.set(session, connection)
    session.setLocalWindowSize(strangerWindow)
    // Without a listener an error of one connection would end the server; 'close' follows.
    session.on('error', ignore)
    session.on('close', () => {
      clearTimeout(connection.timer)
      connections.delete(session)
      for (const listener of connection.closeListeners) listener()
    })
  }

  function handle(event: StreamEvent, connection: Connection): void {
    const [stream, headers] = event
    const { serveStream } = connection
    if (serveStream && !(isGrpc(headers) && isCall(headers[':path'] ?? ''))) {
      // The client may try it again elsewhere.
      if (isClosing) {
        stream.close(constants.NGHTTP2_REFUSED_STREAM)
        return
      }
      countStream(stream, connection)
      if (!connection.isKept) connection.keep()
      serveStream(...event)
      return
    }
    const refusal = isClosing ? closingStatus : refusalOf(headers)
    if (refusal) {
      refuse(stream, refusal)
      return
    }
    countStream(stream, connection)
    answerCall(stream, headers, connection)
  }

  function countStream(stream: ServerHttp2Stream, connection: Connection): void {
    connection.openStreams++
    if (connection.isKept) clearTimeout(connection.timer)
    stream.on('close', () => {
      connection.openStreams--
      if (connection.isKept && connection.openStreams === 0 && !connection.session.destroyed)
        connection.timer = setTimeout(() => endConnection(connection), limits.idleMs)
    })
  }

  function answerCall(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: Connection): void {
    const call = new Http2Call(stream, headers, connection, callOptions)
    connection.calls.add(call)
    call.onClose(() => connection.calls.delete(call))
    try {
      methods.get(headers[':path'] ?? '')?.(call)
    } catch (error) {
      onError(error)
      call.end(internalError)
    }
  }

  /** The status for a request that is no call of ours. */
  function refusalOf(headers: IncomingHttpHeaders): GrpcStatus | undefined {
    const path = headers[':path'] ?? ''
    if (!isGrpc(headers)) return notGrpc
    if (methods.has(path)) return undefined
    const [, service = '', method = ''] = path.split('/')
    return { code: grpcCodes.unimplemented, details: `unknown method ${method} for service ${service}` }
  }

  return {
    accept(socket, serveStream) {
      if (isClosing) {
        socket.destroy()
        return
      }
      // The server of HTTP/1.1 leaves sockets half open: one whose client has gone would stay for ever.
      socket.allowHalfOpen = false
      socket.setKeepAlive(true, tcpKeepaliveMs)
      socket.setNoDelay(true)
      // Errors while it waits; 'close' follows.
      socket.on('error', ignore)
      const leave = () => {
        release()
        socket.off('close', release)
      }
      const arrival: Arrival = { socket, serveStream, at: performance.now(), release: leave }
      const release = places.enter(socket.remoteAddress ?? '', {
        onPlace() {
          const waitsSince = performance.now()
          work.add(() => {
            if (socket.destroyed) return
            socket.off('error', ignore)
            arriving = { ...arrival, at: arrival.at + performance.now() - waitsSince }
            // Node 26 hands on what waits piece by piece, and fails at the one behind a piece that ends the session.
            socket.unshift(readArrived(socket))
            server.emit('connection', socket)
            arriving = undefined
          })
        },
        onRefused: () => void socket.destroy(),
      })
      socket.once('close', release)
    },
    isAuthenticated: (session) => connections.get(session)?.isAuthenticated ?? false,
    close(status) {
      isClosing = true
      for (const connection of connections.values()) {
        for (const call of connection.calls) call.end(status)
        endConnection(connection)
      }
    },
  }
}

const ignore = () => {}

const closingStatus: GrpcStatus = { code: grpcCodes.unavailable, details: 'the server is shutting down' }

const notGrpc: GrpcStatus = { code: grpcCodes.unknown, details: 'this port speaks gRPC to agents over HTTP/2' }

/** A session alone would wait for a client that reads nothing. */
function endConnection({ session, socket }: Connection): void {
  session.close()
  setTimeout(() => socket.destroy(), closingMs)
}

const isGrpc = (headers: IncomingHttpHeaders) =>
  headers[':method'] === 'POST' && /^application\/grpc(\+proto)?(;|$)/.test(headers['content-type'] ?? '')

function refuse(stream: ServerHttp2Stream, status: GrpcStatus): void {
  if (dropIfClosed(stream)) return
  const isGrpc = status !== notGrpc
  stream.respond(
    {
      ':status': isGrpc ? 200 : 415,
      'content-type': isGrpc ? 'application/grpc' : 'text/plain',
      ...statusTrailers(status),
    },
    { endStream: true },
  )
  stream.resume()
}
