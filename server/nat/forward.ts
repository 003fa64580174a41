import { type ClientRequest, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { natFailureOf, sendFailure } from './failure.ts'
import { replyHeaders } from './headers.ts'

interface Forwarding {
  /** To the service; it is ours from now on. */
  line: Duplex
  /** Names and values in turn. */
  headers: string[]
  /** Told when the service begins to answer. */
  onAnswer(): void
}

/** Passes a request on and the reply back, both as they come: whoever reads slowly slows down the other end. */
export function forward(asked: IncomingMessage, response: ServerResponse, options: Forwarding): void {
  const { line, headers, onAnswer } = options
  const outgoing = askOver(line, asked, headers)

  outgoing.on('response', (reply) => {
    onAnswer()
    reply.on('error', () => response.headersSent && response.destroy())
    // The service's own date, or none.
    response.sendDate = false
    try {
      response.writeHead(reply.statusCode ?? 0, reply.statusMessage, replyHeaders(reply))
    } catch (error) {
      // What Node reads, as the status 000, it does not always write.
      response.statusMessage = ''
      outgoing.destroy(error as Error)
      return
    }
    // A stream of events begins with silence.
    response.flushHeaders()
    reply.pipe(response)
  })
  outgoing.on('error', (error) => {
    // Once it answers, the answer says how it went: it may well not have wanted all of the body.
    if (!response.headersSent) sendFailure(asked, response, natFailureOf(error))
  })
  outgoing.on('close', () => {
    line.destroy()
    if (!response.headersSent) sendFailure(asked, response, natFailureOf(undefined))
  })
  response.on('close', () => outgoing.destroy())
  asked.on('error', () => outgoing.destroy())
  asked.pipe(outgoing)
}

/** A request like the one that was asked, on its way to the service. */
export function askOver(line: Duplex, asked: IncomingMessage, headers: string[]): ClientRequest {
  try {
    return openRequest({ method: asked.method, path: pathOf(asked), headers, createConnection: () => line })
  } catch (error) {
    line.destroy()
    throw error
  }
}

/** The path, also where a client names the whole address as it would to a proxy. */
function pathOf({ url = '/' }: IncomingMessage): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') || path === '*' ? path : `/${path}`
}
