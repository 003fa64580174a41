import { createServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { createGrpcCall, type GrpcCall, type GrpcConnection } from './grpcCall.ts'
import { type GrpcStatus, grpcCodes, internalError, statusTrailers } from './grpcStatus.ts'

/** Answers calls on sockets that it is handed (docs/decisions/grpc.md). */
export interface GrpcServer {
  /** Serves HTTP/2 on a connection; bytes that were read already must have been put back. */
  accept(socket: Socket): void
  /** Ends all calls with this status and all connections soon after. */
  close(status: GrpcStatus): void
}

export interface GrpcServerOptions {
  /** Handlers by path, as `/package.Service/Method`. */
  methods: ReadonlyMap<string, (call: GrpcCall) => void>
  /** What is called with an error that a handler threw; the call has ended with "internal" then. */
  onError(error: unknown): void
  limits?: Partial<GrpcLimits>
}

export interface GrpcLimits {
  /** Milliseconds in which a connection must have proved who it is. */
  authenticationMs: number
  /** Milliseconds without any call after which a connection is ended. */
  idleMs: number
  /** Connections that have not proved yet who they are: of one address, and altogether. */
  unauthenticatedPerAddress: number
  unauthenticated: number
  /** Calls at a time on one connection. */
  callsPerConnection: number
  /** Bytes of one message from a client. */
  messageBytes: number
}

/** AGENT.md has the reasons: agents send results of any size, and a proxy opens one connection for each call. */
const defaultLimits: GrpcLimits = {
  authenticationMs: 10_000,
  idleMs: 60_000,
  unauthenticatedPerAddress: 512,
  unauthenticated: 4096,
  callsPerConnection: 250,
  messageBytes: 16 * 1024 * 1024,
}

/** Bytes that may be under way to us on one stream, and on one connection. */
const streamWindow = 1024 * 1024
const connectionWindow = 8 * 1024 * 1024
/** Milliseconds between probes of TCP for an end that has vanished. */
const tcpKeepaliveMs = 30_000
/** Milliseconds for the last words of a closing server to leave. */
const closingMs = 200

interface Connection extends GrpcConnection {
  readonly socket: Socket
  readonly session: ServerHttp2Session
  readonly calls: Set<GrpcCall>
  timer: NodeJS.Timeout | undefined
  isAuthenticated: boolean
}

export function createGrpcServer({ methods, onError, ...options }: GrpcServerOptions): GrpcServer {
  const limits = { ...defaultLimits, ...options.limits }
  const connections = new Map<ServerHttp2Session, Connection>()
  const unauthenticatedByAddress = new Map<string, number>()
  let unauthenticated = 0
  let isClosing = false

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
  server.on('session', (session) => register(session))
  server.on('stream', (stream, headers) => {
    // Without a listener an error would end the server. A broken frame right behind the headers has ended the session
    // already, and the stream with it.
    stream.on('error', () => {})
    const connection = stream.session && connections.get(stream.session as ServerHttp2Session)
    if (connection) handle(stream, headers, connection)
    else stream.destroy()
  })
  // Broken frames; the session is destroyed by itself.
  server.on('sessionError', () => {})

  function countUnauthenticated(address: string, change: number): void {
    unauthenticated += change
    const count = (unauthenticatedByAddress.get(address) ?? 0) + change
    if (count > 0) unauthenticatedByAddress.set(address, count)
    else unauthenticatedByAddress.delete(address)
  }

  function register(session: ServerHttp2Session): void {
    const socket = session.socket as Socket
    const address = socket.remoteAddress ?? ''
    const connection: Connection = {
      ...{ address, port: socket.remotePort ?? 0, socket, session, calls: new Set(), isAuthenticated: false },
      timer: setTimeout(() => session.destroy(), limits.authenticationMs),
      authenticated() {
        if (connection.isAuthenticated || session.destroyed) return
        connection.isAuthenticated = true
        clearTimeout(connection.timer)
        countUnauthenticated(address, -1)
      },
    }
    countUnauthenticated(address, 1)
    connections.set(session, connection)
    session.setLocalWindowSize(connectionWindow)
    // Without a listener an error of one connection would end the server; 'close' follows.
    session.on('error', () => {})
    session.on('close', () => {
      clearTimeout(connection.timer)
      if (!connection.isAuthenticated) countUnauthenticated(address, -1)
      connections.delete(session)
    })
  }

  function handle(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: Connection): void {
    const refusal = isClosing ? closingStatus : refusalOf(headers)
    if (refusal) {
      refuse(stream, refusal)
      return
    }
    const call = createGrpcCall(stream, headers, { connection, maxBytes: limits.messageBytes, onError })
    connection.calls.add(call)
    if (connection.isAuthenticated) clearTimeout(connection.timer)
    stream.on('close', () => {
      connection.calls.delete(call)
      if (connection.isAuthenticated && connection.calls.size === 0 && !connection.session.destroyed)
        connection.timer = setTimeout(() => connection.session.close(), limits.idleMs)
    })
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
    const isGrpc =
      headers[':method'] === 'POST' && /^application\/grpc(\+proto)?(;|$)/.test(headers['content-type'] ?? '')
    if (!isGrpc) return notGrpc
    if (methods.has(path)) return undefined
    const [, service = '', method = ''] = path.split('/')
    return { code: grpcCodes.unimplemented, details: `unknown method ${method} for service ${service}` }
  }

  return {
    accept(socket) {
      const perAddress = unauthenticatedByAddress.get(socket.remoteAddress ?? '') ?? 0
      if (isClosing || unauthenticated >= limits.unauthenticated || perAddress >= limits.unauthenticatedPerAddress) {
        socket.destroy()
        return
      }
      // The server of HTTP/1.1 leaves sockets half open: one whose client has gone would stay for ever.
      socket.allowHalfOpen = false
      socket.setKeepAlive(true, tcpKeepaliveMs)
      socket.setNoDelay(true)
      server.emit('connection', socket)
    },
    close(status) {
      isClosing = true
      for (const { calls, session, socket } of connections.values()) {
        for (const call of calls) call.end(status)
        session.close()
        setTimeout(() => socket.destroy(), closingMs)
      }
    },
  }
}

const closingStatus: GrpcStatus = { code: grpcCodes.unavailable, details: 'the server is shutting down' }

const notGrpc: GrpcStatus = { code: grpcCodes.unknown, details: 'this port speaks gRPC to agents over HTTP/2' }

function refuse(stream: ServerHttp2Stream, status: GrpcStatus): void {
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
