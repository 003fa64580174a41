import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { ApiError } from '../wire/apiError.ts'
import { awaitReply } from './awaitReply.ts'
import { failureCode, failureReason } from './failureReason.ts'
import { sendHttp2Request } from './http2Request.ts'
import { certificateOf, type IncomingReply } from './reply.ts'

export interface OutboundRequest {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Called after the target has been allowed, because real servers report a forbidden target first. @throws ApiError */
  headers(): Readonly<Record<string, string>>
  body?: string
  /** Whether the receiver must have a valid certificate. */
  verifyTls: boolean
}

/** Bytes of the headers of a reply, as Chromium reads them. */
const maxHeaderSize = 256 * 1024

/**
 * Sends one request, without following redirects, to one of these addresses and no other. Replies are read as leniently
 * as by browsers: what people can open is up. A server that speaks only HTTP/2 is asked over HTTP/2.
 * @param signal the deadline; when it is aborted, the reply is cut off as well
 * @returns the reply as soon as its headers have arrived @throws ApiError
 */
export async function sendRequest(
  request: OutboundRequest,
  url: URL,
  addresses: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<IncomingReply> {
  try {
    // Some servers answer 406 to a request that does not say what it accepts.
    const headers = { 'user-agent': 'Wheelhouse', accept: '*/*', ...allowedHeaders(request.headers()) }
    if (url.protocol === 'http:') {
      return await awaitReply(startHttp1Request(request, url, headers, { addresses, signal }), signal)
    }
    return await sendTlsRequest(request, url, headers, { addresses, signal })
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw requestError(request, url, addresses[0], cause as NodeJS.ErrnoException, signal)
  }
}

interface Way {
  addresses: readonly [string, ...string[]]
  signal: AbortSignal
}

function startHttp1Request(
  { method, body, verifyTls }: OutboundRequest,
  url: URL,
  headers: Readonly<Record<string, string>>,
  { addresses, signal }: Way,
): ClientRequest {
  const isTls = url.protocol === 'https:'
  const outgoing = (isTls ? requestTls : requestPlain)(url, {
    method,
    headers,
    lookup: fixedLookup(addresses),
    agent: false,
    signal,
    maxHeaderSize,
    insecureHTTPParser: true,
    ...(isTls && { rejectUnauthorized: verifyTls, ALPNProtocols: ['http/1.1'] }),
  })
  outgoing.end(body)
  return outgoing
}

/**
 * A server that speaks only HTTP/2 does not choose HTTP/1 by TLS: it ends the handshake, or answers with frames, an end or
 * an error. Then it is asked whether it speaks HTTP/2; if not, what came first counts. No request is sent twice: a server
 * that speaks HTTP/1 has chosen it, and one that knows no choice does not choose HTTP/2 either.
 */
async function sendTlsRequest(
  request: OutboundRequest,
  url: URL,
  headers: Readonly<Record<string, string>>,
  { addresses, signal }: Way,
): Promise<IncomingReply> {
  const { method, body, verifyTls } = request
  const overHttp2 = () =>
    sendHttp2Request({ url, method, headers, body, lookup: fixedLookup(addresses), verifyTls }, signal)
  let hasChosen = true
  const outgoing = startHttp1Request(request, url, headers, { addresses, signal })
  outgoing.once('socket', (socket) =>
    socket.once('secureConnect', () => (hasChosen = (socket as TLSSocket).alpnProtocol !== false)),
  )
  let reply: IncomingMessage
  try {
    reply = await awaitReply(outgoing, signal)
  } catch (error) {
    const isRefused = /NO_APPLICATION_PROTOCOL$/.test(failureCode(error))
    const other = isRefused || (!hasChosen && !signal.aborted) ? await overHttp2() : undefined
    if (!other) throw error
    return other
  }
  // Now: the server may close the connection meanwhile.
  const replyWithCertificate = Object.assign(reply, { certificate: certificateOf(reply) })
  if (hasChosen || (reply.statusCode ?? 0) < 400) return replyWithCertificate
  const other = await overHttp2()
  if (!other) return replyWithCertificate
  reply.on('error', () => {}).destroy()
  return other
}

/** Replaces DNS: returns these addresses for every name, so that Node connects to addresses that were checked. */
export function fixedLookup(addresses: readonly [string, ...string[]]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, done) => {
    if (options.all) done(null, all)
    else done(null, addresses[0], isIP(addresses[0]))
  }
}

/** Headers that decide on framing and destination; people may not set them. */
const reservedHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect'])

const allowedHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !reservedHeaders.has(name.toLowerCase())))

function requestError(
  { method }: OutboundRequest,
  url: URL,
  address: string,
  cause: NodeJS.ErrnoException,
  signal: AbortSignal,
): ApiError {
  const verb = `${method[0]}${method.slice(1).toLowerCase()}`
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const target = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
  const reason = signal.aborted
    ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
    : cause.code === 'ECONNREFUSED'
      ? `dial tcp ${target}: connect: connection refused`
      : failureReason(cause)
  return new ApiError(`${verb} "${url.origin}": ${reason}`)
}
