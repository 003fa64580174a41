import { type ClientRequest, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { replyHeaders } from './headers.ts'
import { refuseUpgrade, sendErrorPage, toNatError } from './natError.ts'

interface ForwardOptions {
  /** To the service; closed by the callee. */
  connection: Duplex
  /** Names and values alternately. */
  headers: string[]
  /** Called when the service begins to reply. */
  onReply(): void
}

/** Streams a request to the service and the reply back, with backpressure in both directions. */
export function forwardRequest(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): void {
  const { connection, headers, onReply } = options
  const outgoing = openRequestOver(connection, request, headers)

  outgoing.on('response', (reply) => {
    onReply()
    reply.on('error', () => response.headersSent && response.destroy())
    // Only the service's own Date header is passed on.
    response.sendDate = false
    try {
      response.writeHead(reply.statusCode ?? 0, reply.statusMessage, replyHeaders(reply))
    } catch (error) {
      // Node can read some heads that it refuses to write, as with the status 000.
      response.statusMessage = ''
      outgoing.destroy(error instanceof Error ? error : undefined)
      return
    }
    // An event stream may send its first data much later.
    response.flushHeaders()
    reply.pipe(response)
  })
  outgoing.on('error', (error) => {
    // After the reply has begun, an error may only mean that the service did not read the whole body.
    if (!response.headersSent) sendErrorPage(request, response, toNatError(error))
  })
  outgoing.on('close', () => {
    connection.destroy()
    if (!response.headersSent) sendErrorPage(request, response, toNatError(undefined))
  })
  response.on('close', () => outgoing.destroy())
  request.on('error', () => outgoing.destroy())
  request.pipe(outgoing)
}

/** Opens a request with the same method and path over the connection to the service. */
function openRequestOver(connection: Duplex, request: IncomingMessage, headers: string[]): ClientRequest {
  try {
    return openRequest({ method: request.method, path: pathOf(request), headers, createConnection: () => connection })
  } catch (error) {
    connection.destroy()
    throw error
  }
}

/** The path of a request, also when a client sends the absolute URL as to a proxy. */
function pathOf({ url = '/' }: IncomingMessage): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') || path === '*' ? path : `/${path}`
}

interface TunnelOptions {
  /** To the service; closed by the callee. */
  connection: Duplex
  /** Names and values alternately. */
  headers: string[]
  /** Milliseconds for one end to read remaining data after the other has closed. */
  drainMs: number
  /** Called when the service begins to reply. */
  onReply(): void
}

/**
 * Whether a request asks to change the protocol, as WebSockets do. An optional upgrade to another HTTP version (`h2c`)
 * or to TLS, and any upgrade of a request with a body, are ignored: these are forwarded as normal requests.
 */
export function wantsTunnel({ headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return headers.upgrade !== undefined && !hasBody && !/^(h2c|http|tls)/i.test(headers.upgrade)
}

/** Forwards an upgrade request and then, if the service agrees, all bytes in both directions. */
export function openTunnel(request: IncomingMessage, client: Duplex, head: Buffer, options: TunnelOptions): void {
  const { connection, headers, drainMs, onReply } = options
  const outgoing = openRequestOver(connection, request, headers)
  let hasReply = false
  const abort = () => outgoing.destroy()
  client.once('close', abort)

  outgoing.on('upgrade', (reply, _socket, first) => {
    onReply()
    client.off('close', abort)
    const upgrade = reply.headers.upgrade ?? request.headers.upgrade ?? ''
    client.write(replyHead(reply, ['Connection', 'Upgrade', 'Upgrade', upgrade]), 'latin1')
    client.write(first)
    connection.write(head)
    pipeBothWays(client, connection, drainMs)
  })
  outgoing.on('response', (reply) => {
    onReply()
    // Not a valid reply.
    if ((reply.statusCode ?? 0) < 100) return void outgoing.destroy(new Error(`the status ${reply.statusCode}`))
    hasReply = true
    client.write(replyHead(reply, ['Connection', 'close']), 'latin1')
    reply.pipe(client)
    reply.on('error', () => client.destroy())
    reply.on('end', () => client.end(() => client.destroy()))
  })
  outgoing.on('error', (error) => {
    if (!hasReply) refuseUpgrade(client, toNatError(error))
  })
  outgoing.end()
}

/** Pipes each end into the other until one closes. */
function pipeBothWays(one: Duplex, other: Duplex, drainMs: number): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => {})
    from.pipe(to)
    from.once('close', () => {
      // Remaining data is delivered, within a time limit.
      const timer = setTimeout(() => to.destroy(), drainMs)
      to.once('close', () => clearTimeout(timer))
      to.end(() => to.destroy())
    })
  }
}

/** Status line and headers of a reply. */
function replyHead(reply: IncomingMessage, connectionHeaders: readonly string[]): string {
  const rawHeaders = [...replyHeaders(reply), ...connectionHeaders]
  const lines = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
  return `HTTP/1.1 ${reply.statusCode} ${reply.statusMessage}\r\n${lines.join('')}\r\n`
}
