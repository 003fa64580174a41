import { type ClientRequest, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { replyHeaders } from './headers.ts'
import { sendErrorPage, toNatError } from './natError.ts'

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
export function openRequestOver(connection: Duplex, request: IncomingMessage, headers: string[]): ClientRequest {
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
