import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request is for a WebSocket. One that offers another protocol, as clients of HTTP/2 offer `h2c` with whatever
 * they ask, is a request as any other (RFC 9110, 7.8).
 */
export const isSocketRequest = ({ headers }: { headers: IncomingHttpHeaders }): boolean =>
  /^websocket$/i.test(headers.upgrade ?? '')
