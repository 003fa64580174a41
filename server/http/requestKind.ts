import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'

/**
 * Whether a request is for a WebSocket. One that offers another protocol, as clients of HTTP/2 offer `h2c` with whatever
 * they ask, is a request as any other (RFC 9110, 7.8).
 */
export const isSocketRequest = ({ headers }: { headers: IncomingHttpHeaders }): boolean =>
  /^websocket$/i.test(headers.upgrade ?? '')

/** Whether a request has a body. Over HTTP/2 it may come without its length. */
export function hasBody(request: IncomingMessage | Http2ServerRequest): boolean {
  if ('stream' in request && !request.stream.endAfterHeaders) return true
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  return coding !== undefined || Number(length) > 0
}
