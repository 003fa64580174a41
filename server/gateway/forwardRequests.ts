import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describeFailure } from './failure.ts'
import { replyHeaders } from './replyHeaders.ts'
import { describeUnexpectedReply } from './unexpectedReply.ts'
import type { Upstream } from './upstream.ts'

interface ForwardOptions {
  upstream: Upstream
  isTls: boolean
  /** Of the request that goes on. */
  headersFor(asked: IncomingMessage): IncomingHttpHeaders
  /** Answers in the place of the upstream. */
  answer(request: FastifyRequest, reply: FastifyReply, status: number, text: string): void
}

/** What the library really hands over: its type says that of a reply that is still to be written. */
interface Received {
  statusCode: number
  headers: IncomingHttpHeaders
  stream: Readable
}

/** The longest pause within an answer, in ms. */
const pauseMs = 5 * 60_000

const isRead = (method?: string) => method === 'GET' || method === 'HEAD'

const brokeOff = (error: unknown) =>
  ['UND_ERR_SOCKET', 'ECONNRESET'].includes(String((error as NodeJS.ErrnoException | undefined)?.code))

/** Passes every request that no other route takes on to the upstream, and its answer back, both as they come. */
export async function forwardRequests(app: FastifyInstance, options: ForwardOptions): Promise<void> {
  const { upstream, isTls, headersFor, answer } = options
  const { url, ca, patienceMs } = upstream
  const fails = (reply: FastifyReply, error: unknown) => {
    const { status, text } = describeFailure(error, url, patienceMs)
    answer(reply.request, reply, status, text)
  }
  await app.register(httpProxy, {
    upstream: url.origin,
    disableRequestLogging: true,
    proxyPayloads: false,
    internalRewriteLocationHeader: false,
    undici: {
      connect: { rejectUnauthorized: true, timeout: Math.min(10_000, patienceMs), ca: ca && [...ca] },
      headersTimeout: patienceMs,
      bodyTimeout: pauseMs,
      connections: 256,
    },
    replyOptions: {
      rewriteRequestHeaders: ({ raw, method }, { 'content-length': length }) => {
        const headers = headersFor(raw as IncomingMessage)
        // Of these no body goes on.
        delete headers['content-length']
        return isRead(method) || length === undefined ? headers : { ...headers, 'content-length': length }
      },
      // A connection that was kept may have ended just now; what a 503 says goes to the browser.
      retryDelay: ({ req, err, attempt }) => (attempt === 0 && isRead(req.method) && brokeOff(err) ? 1 : null),
      onError: (reply, { error }) => fails(reply as FastifyReply, error),
      onResponse(request, reply, response) {
        const received = response as unknown as Received
        const { statusCode: status, headers, stream } = received
        const { location } = headers
        const strange = describeUnexpectedReply(request.url, { status, type: headers['content-type'], location }, url)
        for (const name of Object.keys(headers)) reply.removeHeader(name)
        if (strange !== undefined) {
          stream.destroy()
          return answer(request as FastifyRequest, reply as FastifyReply, 502, strange)
        }
        reply.headers(replyHeaders(headers, url, isTls))
        reply.send(stream)
      },
    },
  })
}
