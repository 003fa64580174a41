import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { ApiError } from '../wire/apiError.ts'
import type { Call } from './guardedRequest.ts'

/**
 * One call without redirects, to one of these addresses and to no other.
 * @returns the reply as soon as its head is there @throws ApiError
 */
export function sendOnce(
  call: Call,
  url: URL,
  addresses: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:'
  return new Promise<IncomingMessage>((settle, fail) => {
    const sent = (isTls ? requestTls : requestPlain)(url, {
      method: call.method,
      headers: { 'user-agent': 'Wheelhouse', ...ownHeaders(call.headers()) },
      lookup: pinnedTo(addresses),
      agent: false,
      signal,
      ...(isTls && { rejectUnauthorized: call.verifyTls }),
    })
    sent.on('error', fail)
    sent.on('response', settle)
    sent.end(call.body)
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause instanceof ApiError) throw cause
    throw failureOf(call, url, addresses[0], cause, signal)
  })
}

/** A look-up that knows these addresses only, whatever name it is asked for. */
export function pinnedTo(addresses: readonly [string, ...string[]]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, done) => {
    if (options.all) done(null, all)
    else done(null, addresses[0], isIP(addresses[0]))
  }
}

/** How a message is framed and where it goes is not a person's to say. */
const framing = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect'])

const ownHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.has(name.toLowerCase())))

function failureOf(
  { method }: Call,
  url: URL,
  address: string,
  cause: NodeJS.ErrnoException,
  signal: AbortSignal,
): ApiError {
  const verb = `${method[0]}${method.slice(1).toLowerCase()}`
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const place = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
  const why = signal.aborted
    ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
    : cause.code === 'ECONNREFUSED'
      ? `dial tcp ${place}: connect: connection refused`
      : cause.message
  return new ApiError(`${verb} "${url.origin}": ${why}`)
}
