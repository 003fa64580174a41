import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { usePeerAddress } from '../../../src/schemas/settings/siteSetting.ts'
import { ApiError } from '../../wire/apiCall.ts'

/**
 * One spelling for each IP address: IPv6 in lower case and shortened, without `::ffff:` before an IPv4 address. The zone
 * of a link-local address (`fe80::1%eth0`) stays. Texts that are no address stay as they are.
 */
export function canonicalAddress(text: string): string {
  if (isIP(text) !== 6) return text
  const [address = '', zone] = text.split('%')
  // The rules of URLs for hosts are those of RFC 5952.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short) ?? []
  if (high !== undefined && low !== undefined) return toIpv4(Number.parseInt(high, 16), Number.parseInt(low, 16))
  return zone === undefined ? short : `${short}%${zone}`
}

/**
 * What failures are counted for: an IPv4 address, or the /64 network of an IPv6 address, all of which a single client
 * can usually use. `::1` and texts that are no address stay as they are.
 * @example addressGroup('2001:db8:0:7:a::1') // '2001:db8:0:7::/64'
 */
export function addressGroup(text: string): string {
  const address = canonicalAddress(text.replace(/\/64$/, ''))
  if (isIP(address) !== 6 || address === '::1') return address
  const [ip = '', zone] = address.split('%')
  const groups = expand(ip).slice(0, 4)
  const network = canonicalAddress(`${groups.join(':')}::`)
  return `${network}${zone === undefined ? '' : `%${zone}`}/64`
}

/** The first bits of an address, as a text that is the same for addresses that have them in common. @param bits a multiple of 8, of 16 for IPv6 */
export function addressPrefix(text: string, bits: number): string {
  const address = canonicalAddress(text)
  if (isIP(address) !== 6)
    return address
      .split('.')
      .slice(0, bits / 8)
      .join('.')
  const [ip = ''] = address.split('%')
  return expand(ip)
    .slice(0, bits / 16)
    .join(':')
}

const toIpv4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.')

/** The eight groups of a canonical IPv6 address. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const split = (part: string) => (part === '' ? [] : part.split(':'))
  if (tail === undefined) return split(head)
  const zeros = 8 - split(head).length - split(tail).length
  return [...split(head), ...Array.from({ length: zeros }, () => '0'), ...split(tail)]
}

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

interface OriginSettings {
  publicUrl?: URL
  /** The setting `web_real_ip_header`. */
  realIpHeader: string
}

/**
 * Where the sender of a request reaches this server: what the operator says, else what was asked for, whose host name
 * is checked before any route.
 */
export const ownOrigin = (request: FastifyRequest, { publicUrl, realIpHeader }: OriginSettings): string =>
  publicUrl?.origin ?? `${isOverTls(request, realIpHeader) ? 'https' : 'http'}://${request.host}`

/** By the connection, or by the header of a proxy with TLS, where the settings say that there is one. */
export const isOverTls = ({ headers, protocol }: FastifyRequest, realIpHeader: string): boolean =>
  protocol === 'https' || (isBehindProxy(realIpHeader) && headers['x-forwarded-proto'] === 'https')
