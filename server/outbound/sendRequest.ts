import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { ApiError } from '../wire/apiError.ts'
import { awaitReply } from './awaitReply.ts'

export interface OutboundRequest {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Called after the target has been allowed, because real servers report a forbidden target first. @throws ApiError */
  headers(): Readonly<Record<string, string>>
  body?: string
  /** Whether the receiver must have a valid certificate. */
  verifyTls: boolean
}

/**
 * Sends one request, without following redirects, to one of these addresses and no other.
 * @param signal the deadline; when it is aborted, the reply is cut off as well
 * @returns the reply as soon as its headers have arrived @throws ApiError
 */
export async function sendRequest(
  request: OutboundRequest,
  url: URL,
  addresses: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:'
  try {
    const outgoing = (isTls ? requestTls : requestPlain)(url, {
      method: request.method,
      headers: { 'user-agent': 'Wheelhouse', ...allowedHeaders(request.headers()) },
      lookup: fixedLookup(addresses),
      agent: false,
      signal,
      ...(isTls && { rejectUnauthorized: request.verifyTls }),
    })
    outgoing.end(request.body)
    return await awaitReply(outgoing, signal)
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw requestError(request, url, addresses[0], cause as NodeJS.ErrnoException, signal)
  }
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
      : cause.message
  return new ApiError(`${verb} "${url.origin}": ${reason}`)
}
