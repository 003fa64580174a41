import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
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
  const outgoing = openRequest({ method: asked.method, path: pathOf(asked), headers, createConnection: () => line })

  outgoing.on('response', (reply) => {
    onAnswer()
    // The service's own date, or none.
    response.sendDate = false
    response.writeHead(reply.statusCode ?? 502, reply.statusMessage, replyHeaders(reply))
    // A stream of events begins with silence.
    response.flushHeaders()
    reply.pipe(response)
    reply.on('error', () => response.destroy())
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

/** The path, also where a client names the whole address as it would to a proxy. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') || path === '*' ? path : `/${path}`
}
