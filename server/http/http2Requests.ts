import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { closeWhenSent, dropIfClosed } from '../http2Stream.ts'
import type { ConnectionLimits } from './connectionLimits.ts'

/** Answers a stream of HTTP/2 that is not a call of an agent; the parameters are those of the event `stream`. */
export type ServeHttp2Stream = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  rawHeaders: string[],
) => void

interface Http2RequestOptions {
  limits: ConnectionLimits
  /** Gets each request with its authority in the header `host`, as requests of HTTP/1.1 have it. */
  handle(request: Http2ServerRequest, response: Http2ServerResponse): void
}

/**
 * Makes requests of the streams of HTTP/2 (docs/decisions/http2.md). Each takes the place of a connection, and so does
 * the connection that they come by: many streams cost as much as many connections.
 */
export function createHttp2Requests({ limits, handle }: Http2RequestOptions): ServeHttp2Stream {
  // It never listens: Node makes the request and the response of a stream only inside a server.
  const server = createServer((request, response) => {
    // A body that nobody reads would keep the stream open.
    response.once('finish', () => {
      if (!request.complete) closeWhenSent(response.stream)
    })
    if (takeAuthority(request)) handle(request, response)
    else sendError(response.stream, 400, 'the request needs one host name')
  })
  const counted = new WeakSet<ServerHttp2Session>()

  function count(session: ServerHttp2Session, address: string): void {
    counted.add(session)
    const release = limits.enter(address, { onPlace() {}, onRefused: () => closeSession(session) })
    session.once('close', release)
  }

  return (stream, ...event) => {
    const session = stream.session as ServerHttp2Session | undefined
    if (!session) return
    const address = session.socket.remoteAddress ?? ''
    if (!counted.has(session)) count(session, address)
    // What answers a request asks only whether its stream is destroyed. A reset of our own is sent first.
    stream.once('aborted', () => process.nextTick(dropIfClosed, stream))
    const release = limits.enter(address, {
      onPlace() {
        if (!dropIfClosed(stream)) server.emit('stream', stream, ...event)
      },
      onRefused: (sentence) => sendError(stream, 503, sentence),
    })
    stream.once('close', () => {
      if (limits.isCrowded()) closeSession(session)
      release()
    })
  }
}

/** Lets the requests under way come to their end. */
function closeSession(session: ServerHttp2Session): void {
  if (!session.closed && !session.destroyed) session.close()
}

/** Copies `:authority` to `host`, which all checks read. @returns false when the two differ (RFC 9113, 8.3.1) */
function takeAuthority({ headers }: Http2ServerRequest): boolean {
  const { ':authority': authority = headers.host, host = authority } = headers
  if (!host || host !== authority) return false
  headers.host = host
  return true
}

/** Answers a stream with `{error}`, and ends what the client still sends. */
export function sendError(stream: ServerHttp2Stream, status: number, error: string): void {
  if (dropIfClosed(stream)) return
  if (!stream.headersSent) {
    stream.respond({
      ':status': status,
      'content-type': 'application/json; charset=utf-8',
      ...(status === 503 && { 'retry-after': '60' }),
    })
    stream.end(JSON.stringify({ error }))
  }
  closeWhenSent(stream)
}
