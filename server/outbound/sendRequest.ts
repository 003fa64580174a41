import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import { ApiError } from '../wire/apiCall.ts'
import { type Dial, DialError } from './dial.ts'
import { awaitReply, openProxyTunnel, sendHttp2Request } from './exchange.ts'
import { failureCode, failureReason } from './failureReason.ts'
import { lenientReplies, maxHeaderSize } from './lenientReplies.ts'
import { openTls, type Peers, type TlsOptions } from './openTls.ts'
import type { IncomingReply } from './reply.ts'

export interface OutboundRequest {
  url: string
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** Called after the target has been allowed, because real servers report a forbidden target first. @throws ApiError */
  headers(): Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Whether the receiver must have a valid certificate. */
  verifyTls: boolean
}

/** Where a request goes through, and in which way. */
export interface Way {
  dial: Dial
  /** The deadline; when it is aborted, the reply is cut off as well. */
  signal: AbortSignal
  /** Default: HTTP/1.1, and HTTP/2 where the server speaks nothing else. */
  httpVersion?: '1.1' | '2'
  tls?: Pick<TlsOptions, 'ca' | 'cert' | 'key'>
  /** An HTTP proxy, by its address. */
  proxy?: URL
  /** Is added what each part took. */
  phases?: RequestPhases
  /** Is given the certificates of the host. */
  peers?: Peers
}

/** Milliseconds of the parts of requests, those of redirects together. */
export interface RequestPhases {
  /** Until the name was looked up. */
  name?: number
  connect?: number
  tls?: number
  /** From the request to the head of its reply. */
  first_byte?: number
}

/**
 * Sends one request, without following redirects, over a connection of `dial` and no other. Replies are read as leniently
 * as by browsers: what people can open is up. A server that speaks only HTTP/2 is asked over HTTP/2.
 * @returns the reply as soon as its headers have arrived @throws RequestError, or an ApiError of `dial`
 */
export async function sendRequest(request: OutboundRequest, url: URL, way: Way): Promise<IncomingReply> {
  try {
    // Some servers answer 406 to a request that does not say what it accepts.
    const headers = () => ({ 'user-agent': 'Wheelhouse', accept: '*/*', ...allowedHeaders(request.headers()) })
    const sent = { request, url, headers }
    return url.protocol === 'http:'
      ? await sendOver(await connect(url, way), sent, way)
      : await sendTlsRequest(sent, way)
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw requestError(request, url, cause, way.signal)
  }
}

interface Sent {
  request: OutboundRequest
  url: URL
  headers: () => Readonly<Record<string, string>>
}

export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/** Without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

async function connect(url: URL, { dial, signal, phases, proxy }: Way): Promise<Duplex> {
  const { stream, name, connect } = await dial(hostOf(proxy ?? url), portOf(proxy ?? url), signal)
  addPhases(phases, { name, connect })
  // A proxy is asked for a page of plain HTTP by its whole address.
  if (proxy && url.protocol === 'https:') await openProxyTunnel(stream, `${url.hostname}:${portOf(url)}`, signal)
  return stream
}

function addPhases(phases: RequestPhases | undefined, added: RequestPhases): void {
  if (!phases) return
  for (const part of ['name', 'connect', 'tls', 'first_byte'] as const) {
    const ms = added[part]
    if (ms !== undefined) phases[part] = (phases[part] ?? 0) + ms
  }
}

async function connectTls(url: URL, verify: boolean, protocol: 'http/1.1' | 'h2', way: Way): Promise<TLSSocket> {
  const stream = await connect(url, way)
  const startedAt = performance.now()
  const noted = way.peers && { peers: way.peers, address: url.host }
  const options = { host: hostOf(url), verify, alpn: [protocol], ...noted, ...way.tls }
  const socket = await openTls(stream, options, way.signal)
  addPhases(way.phases, { tls: performance.now() - startedAt })
  return socket
}

async function sendOver(stream: Duplex, { request, url, headers }: Sent, way: Way): Promise<IncomingMessage> {
  const { method, body } = request
  const startedAt = performance.now()
  let outgoing: ClientRequest
  try {
    outgoing = requestHttp({
      ...urlToHttpOptions(url),
      protocol: 'http:',
      ...(way.proxy && url.protocol === 'http:' && { path: url.href }),
      method,
      headers: { host: url.host, ...headers() },
      createConnection: () => lenientReplies(stream),
      signal: way.signal,
      maxHeaderSize,
      insecureHTTPParser: true,
    })
  } catch (error) {
    // A header that cannot be read, or sent.
    stream.destroy()
    throw error
  }
  outgoing.end(body)
  const reply = await awaitReply(outgoing, way.signal)
  addPhases(way.phases, { first_byte: performance.now() - startedAt })
  return reply
}

/**
 * A server that speaks only HTTP/2 does not choose HTTP/1 by TLS: it ends the handshake, or answers with frames, an end or
 * an error. Then it is asked whether it speaks HTTP/2; if not, what came first counts. No request is sent twice: a server
 * that speaks HTTP/1 has chosen it, and one that knows no choice does not choose HTTP/2 either.
 */
async function sendTlsRequest(sent: Sent, way: Way): Promise<IncomingReply> {
  const { url, request, headers } = sent
  const { signal } = way
  const connectHttp2 = () => connectTls(url, request.verifyTls, 'h2', way)
  async function overHttp2(socket: TLSSocket | undefined): Promise<IncomingReply | undefined> {
    if (socket?.alpnProtocol !== 'h2') {
      socket?.destroy()
      return undefined
    }
    const startedAt = performance.now()
    const sentHeaders = { url, method: request.method, headers: headers(), body: request.body }
    const reply = await sendHttp2Request(socket, sentHeaders, signal)
    addPhases(way.phases, { first_byte: performance.now() - startedAt })
    return reply
  }
  const triedHttp2 = async () => overHttp2(await connectHttp2().catch(() => undefined))
  if (way.httpVersion === '2') {
    const reply = await overHttp2(await connectHttp2())
    if (!reply) throw new NoHttp2Error()
    return reply
  }
  const mayChange = way.httpVersion === undefined
  let socket: TLSSocket | undefined
  let reply: IncomingMessage
  try {
    socket = await connectTls(url, request.verifyTls, 'http/1.1', way)
    reply = await sendOver(socket, sent, way)
  } catch (error) {
    const isRefused = /NO_APPLICATION_PROTOCOL$/.test(failureCode(error))
    const asksAgain = mayChange && (isRefused || (socket?.alpnProtocol === false && !signal.aborted))
    const other = asksAgain ? await triedHttp2() : undefined
    if (!other) throw error
    return other
  }
  if (!mayChange || socket.alpnProtocol !== false || (reply.statusCode ?? 0) < 400) return reply
  const other = await triedHttp2()
  if (!other) return reply
  reply.on('error', () => {}).destroy()
  return other
}

/** A request failed; its cause is an error of the connection, or of TLS. */
export class RequestError extends ApiError {
  override readonly cause: unknown

  constructor(message: string, cause: unknown) {
    super(message)
    this.cause = cause
  }
}

/** The server does not speak the version that is asked for. */
class NoHttp2Error extends Error {
  readonly code = 'ERR_NO_HTTP2'
}

/** Headers that decide on framing and destination; people may not set them. */
const reservedHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect'])

const allowedHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !reservedHeaders.has(name.toLowerCase())))

function requestError({ method }: OutboundRequest, url: URL, cause: unknown, signal: AbortSignal): RequestError {
  const verb = `${method[0]}${method.slice(1).toLowerCase()}`
  return new RequestError(`${verb} "${url.origin}": ${requestProblem(url, cause, signal)}`, cause)
}

function requestProblem(url: URL, cause: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
  const { cause: inner, address } = cause instanceof DialError ? cause : {}
  if (address !== undefined && failureCode(inner) === 'ECONNREFUSED') {
    const target = isIP(address) === 6 ? `[${address}]:${portOf(url)}` : `${address}:${portOf(url)}`
    return `dial tcp ${target}: connect: connection refused`
  }
  return failureReason(cause)
}
