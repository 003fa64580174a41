import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { createSecureContext } from 'node:tls'
import type { FastifyHttpProxyOptions } from '@fastify/http-proxy'
import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Agent, type Dispatcher } from 'undici'
import { hasLeft } from '../http/requestLimits.ts'
import { firstValue, type ReceivedHeaders, replyHeaders } from './headers.ts'
import { describeFailure, describeUnexpectedReply, type Upstream, UpstreamTimeout } from './upstream.ts'

interface ForwardOptions {
  upstream: Upstream
  isTls: boolean
  /** The headers of the forwarded request. */
  headersFor(request: IncomingMessage): IncomingHttpHeaders
  /** Where the sender of a request reaches the gateway. */
  originOf(request: FastifyRequest): string
  /** Replies in place of the upstream. */
  reply(request: FastifyRequest, reply: FastifyReply, status: number, text: string): void
}

/** What the library really passes: its type is that of a reply still to be written. */
interface UpstreamReply {
  statusCode: number
  headers: ReceivedHeaders
  stream: Readable
}

/** Milliseconds: the longest pause within a reply. */
const pauseMs = 5 * 60_000

const hasNoBody = new Set([204, 304])

const isSafeMethod = (method?: string) => method === 'GET' || method === 'HEAD'

/** Forwards every request without a route of its own to the upstream, and streams the reply back. */
export async function forwardRequests(app: FastifyInstance, options: ForwardOptions): Promise<void> {
  const { upstream, isTls, headersFor } = options
  const { url, timeoutMs } = upstream
  const replyWithFailure = (reply: FastifyReply, error: unknown) => {
    const { status, text } = describeFailure(error, url, timeoutMs)
    options.reply(reply.request, reply, status, text)
  }
  /** Errors of replies that ended before their time. */
  const broken = new WeakSet<Error>()
  await app.register(async (scope) => {
    scope.setErrorHandler((error: NodeJS.ErrnoException, _, reply) => {
      // What compresses a reply says so of one that was ended, as when its reader has left.
      if (!broken.has(error) && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
      if (hasLeft(reply)) return
      // Nothing of the upstream's reply has been sent yet.
      for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
      replyWithFailure(reply, error)
    })
    await scope.register(httpProxy, {
      upstream: url.origin,
      disableRequestLogging: true,
      proxyPayloads: false,
      internalRewriteLocationHeader: false,
      // Its types are those of undici 7, which has the same calls.
      undici: upstreamClient(upstream) as unknown as FastifyHttpProxyOptions['undici'],
      replyOptions: {
        rewriteRequestHeaders: ({ raw, method }, { 'content-length': length }) => {
          const headers = headersFor(raw as IncomingMessage)
          // Requests with these methods are forwarded without a body.
          delete headers['content-length']
          // Its reply is read here.
          if (callsTools(method, raw.url)) delete headers['accept-encoding']
          return isSafeMethod(method) || length === undefined ? headers : { ...headers, 'content-length': length }
        },
        // Nothing is sent again: a 503 goes to the browser as it is.
        retryDelay: () => null,
        onError(reply, { error }) {
          // When the visitor's connection ends first, nobody is left to reply to, and the upstream is not to blame.
          if (!hasLeft(reply as FastifyReply)) replyWithFailure(reply as FastifyReply, error)
        },
        // onResponse sets them.
        rewriteHeaders: () => ({}),
        onResponse(request, reply, response) {
          const { statusCode: status, headers, stream } = response as unknown as UpstreamReply
          stream.on('error', (error) => broken.add(error))
          // The library has answered in place of a status that no reply can have.
          if (status > 599) return void stream.destroy()
          const [type, location] = [firstValue(headers, 'content-type'), firstValue(headers, 'location')]
          const problem = describeUnexpectedReply(request.url, { status, type, location }, url)
          if (problem !== undefined) {
            stream.destroy()
            return options.reply(request as FastifyRequest, reply as FastifyReply, 502, problem)
          }
          reply.headers(replyHeaders(headers, url, isTls))
          if (callsTools(request.method, request.url) && !hasNoBody.has(status)) {
            const origin = options.originOf(request as FastifyRequest)
            return void reply.removeHeader('content-length').send(Readable.from(withOwnLinks(stream, url, origin)))
          }
          if (!hasNoBody.has(status)) return void reply.send(stream)
          // A 304 may say how long the body would be, and undici takes that for a body that was cut off.
          stream.resume()
          reply.removeHeader('content-length').send()
        },
      },
    })
  })
}

/**
 * A client of our own: the one that `@fastify/http-proxy` brings (undici 7) ends the process when a reply ends that
 * nobody reads at that moment (docs/decisions/gateway.md).
 */
export function upstreamClient({ ca, timeoutMs }: Pick<Upstream, 'ca' | 'timeoutMs'>): Dispatcher {
  return new Agent({
    connect: {
      rejectUnauthorized: true,
      timeout: Math.min(10_000, timeoutMs),
      // One for all connections: reading the certificates takes longer than agreeing on TLS.
      secureContext: createSecureContext({ ca: ca && [...ca] }),
    },
    // Each request has a connection of its own: what else comes over it reaches nobody.
    pipelining: 0,
    headersTimeout: timeoutMs,
    bodyTimeout: pauseMs,
    // Slow bodies occupy one each; how many of an address there may be is limited before.
    connections: 1024,
  }).compose((dispatch) => (options, handler) => dispatch(options, endingInterimReplies(options, handler, timeoutMs)))
}

/**
 * Ends a request that gets interim replies (`100`, `103`) and no other: each of them would begin its time anew. While the
 * body is on its way, they may go on.
 */
function endingInterimReplies(
  { body }: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
  timeoutMs: number,
): Dispatcher.DispatchHandler {
  let timer: NodeJS.Timeout | undefined
  const isSending = () => body instanceof Readable && !body.readableEnded && !body.destroyed
  function expire(controller: Dispatcher.DispatchController): void {
    if (isSending()) timer = setTimeout(expire, timeoutMs, controller)
    else controller.abort(new UpstreamTimeout('interim replies only'))
  }
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart(controller, status, ...rest) {
      if (status < 200) timer ??= setTimeout(expire, timeoutMs, controller)
      else clearTimeout(timer)
      handler.onResponseStart?.(controller, status, ...rest)
    },
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError(...args) {
      clearTimeout(timer)
      handler.onResponseError?.(...args)
    },
  }
}

/** Bytes of a reply that may hold a link; one that does is far shorter. */
const maxReplyBytes = 65_536

const linkPath = /^\/mcp\/(download|upload)\/[^/]+$/

/** Whether a request calls tools of the Model Context Protocol (docs/contract/MCP.md#1-paths-and-methods). */
const callsTools = (method: string | undefined, url = ''): boolean => method === 'POST' && /^\/mcp(\?|$)/.test(url)

/**
 * The reply of a tool. A one-time URL in it names the host that the upstream was asked for, which is its own: whoever
 * called the gateway gets one that leads through the gateway. Everything else stays as it is, also in what a tool has read.
 * @param origin where the gateway was called
 */
async function* withOwnLinks(reply: Readable, upstream: URL, origin: string): AsyncGenerator<Uint8Array> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    if (start) start = Buffer.concat([start, chunk])
    else yield chunk
    if (start && start.length > maxReplyBytes) {
      yield start
      start = undefined
    }
  }
  if (!start) return
  const link = linkIn(start.toString(), upstream)
  yield link ? Buffer.from(start.toString().replaceAll(link.href, `${origin}${link.pathname}`)) : start
}

function linkIn(text: string, upstream: URL): URL | undefined {
  try {
    const { url } = JSON.parse(text).result.structuredContent
    const link = new URL(url)
    return link.host === upstream.host && linkPath.test(link.pathname) && link.href === url ? link : undefined
  } catch {
    return undefined
  }
}
