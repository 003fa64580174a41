import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { usePeerAddress } from '../../../src/schemas/settings/siteSetting.ts'
import { ApiError } from '../../wire/apiCall.ts'
import { canonicalAddress } from './canonicalAddress.ts'

/** The parts of a request that say where it comes from. */
interface RequestOrigin {
  headers: IncomingHttpHeaders
  socket: { remoteAddress?: string }
}

/**
 * The IP address of a client, by the setting `web_real_ip_header`: '' means that addresses are not known at all,
 * `NZ::Use-Peer-IP` the other end of the connection, anything else the header that the proxy writes it into. Every
 * address has one spelling (see `canonicalAddress`).
 * @throws ApiError in the contract's words when that header is missing or holds no address
 */
export function readClientAddress(request: RequestOrigin, header: string): string {
  if (header === '') return ''
  if (header === usePeerAddress) return canonicalAddress(request.socket.remoteAddress ?? '')
  const name = header.toLowerCase()
  // `constructor` and `__proto__` are valid header names, too.
  const value = Object.hasOwn(request.headers, name) ? request.headers[name] : undefined
  // The last element is the one that our own proxy wrote; those before it came from the client.
  const text = [value].flat().at(-1)?.split(',').at(-1)?.trim()
  if (!text) throw new ApiError('real ip header not found')
  if (isIP(text) === 0) throw new ApiError(`ParseAddr(${JSON.stringify(text)}): unable to parse IP`)
  return canonicalAddress(text)
}

/** Whether the setting `web_real_ip_header` says that a reverse proxy is in front: only then do its headers count. */
export const isBehindProxy = (header: string): boolean => header !== '' && header !== usePeerAddress

/** The two loopback addresses count as one: a browser uses either of them for `localhost`. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || (isLoopbackAddress(one) && isLoopbackAddress(other))
}

export function isLoopbackAddress(address: string): boolean {
  const ip = canonicalAddress(address)
  return ip === '::1' || (isIP(ip) === 4 && ip.startsWith('127.'))
}

const forwardingHeaders = ['x-forwarded-for', 'x-real-ip', 'forwarded']

/**
 * Whether a proxy on this machine sends client addresses in a header that is not read: all clients then seem to have
 * the address of the proxy, and one person's wrong passwords keep others from signing in.
 */
export function isProxyHeaderUnread(request: RequestOrigin, header: string): boolean {
  return (
    header === usePeerAddress &&
    isLoopbackAddress(request.socket.remoteAddress ?? '') &&
    forwardingHeaders.some((name) => request.headers[name] !== undefined)
  )
}
