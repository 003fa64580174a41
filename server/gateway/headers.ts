import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { usePeerAddress } from '../../src/schemas/settings/siteSetting.ts'
import { readClientAddress } from '../auth/addresses/clientAddress.ts'
import type { Settings } from '../settings.ts'
import { ApiError } from '../wire/apiCall.ts'

/** The settings that decide which client address the upstream is sent. */
export type ProxySettings = Pick<Settings, 'realIpHeader' | 'trustedProxies' | 'publicUrl'>

type IncomingRequest = Pick<IncomingMessage, 'headers' | 'socket'>

/** Hop-by-hop headers, and those that the proxy library cannot forward. */
export const hopByHopHeaders = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
]

/** The headers in which servers look for the client's address by default. */
const defaultAddressHeaders = ['x-forwarded-for', 'x-real-ip', 'nz-realip']

/** The header that the upstream reads; `x-real-ip` unless the operator has set another. */
function realIpHeaderOf({ realIpHeader }: ProxySettings): string {
  return realIpHeader === undefined || realIpHeader === usePeerAddress ? 'x-real-ip' : realIpHeader.toLowerCase()
}

/** The client's address: the other end of the connection, or the address that a trusted proxy sends. */
export function clientAddress(request: IncomingRequest, proxySettings: ProxySettings): string {
  const peer = readClientAddress(request, usePeerAddress)
  if (!proxySettings.trustedProxies?.includes(peer)) return peer
  try {
    return readClientAddress(request, realIpHeaderOf(proxySettings))
  } catch (error) {
    if (error instanceof ApiError) return peer
    throw error
  }
}

/** Host and client address of a request. The gateway's own requests have only these. */
export function addressHeaders(
  request: IncomingRequest,
  upstream: URL,
  proxySettings: ProxySettings,
): IncomingHttpHeaders {
  const address = clientAddress(request, proxySettings)
  const headerNames = [...defaultAddressHeaders, realIpHeaderOf(proxySettings)]
  // The upstream has to know that the browser uses TLS; one with TLS of its own may redirect other requests to https.
  const isTls = [upstream, proxySettings.publicUrl].some((url) => url?.protocol === 'https:')
  return {
    host: upstream.host,
    'x-forwarded-proto': isTls ? 'https' : 'http',
    ...Object.fromEntries(headerNames.map((name) => [name, address])),
  }
}

/** The headers of a forwarded request: as if the client had called the upstream by its own name. */
export function requestHeaders(
  request: IncomingRequest,
  upstream: URL,
  proxySettings: ProxySettings,
): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = { ...request.headers }
  const connectionHeaders = headers.connection?.toLowerCase().split(',') ?? []
  const addresses = Object.keys(headers).filter((name) => isAddressHeader(name, headers[name]))
  for (const name of [...hopByHopHeaders, ...addresses, ...connectionHeaders.map((one) => one.trim())])
    delete headers[name]
  if (request.headers.origin !== undefined) headers.origin = upstream.origin
  // It contains the host name of the gateway, and some servers redirect to it.
  delete headers.referer
  return { ...headers, ...addressHeaders(request, upstream, proxySettings) }
}

/** Headers in which proxies send addresses and names that clients have called. Those of the client are not forwarded. */
const clientAddressHeaders = [
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-client-ip',
  'x-cluster-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'true-client-ip',
  'fastly-client-ip',
]

const names = new Set([...clientAddressHeaders, 'x-real-ip', 'nz-realip'])

/** Some servers read `x_real_ip` as `x-real-ip`, as CGI has it. */
export const usualName = (name: string) => name.toLowerCase().replaceAll('_', '-')

/** Whether a header, in any spelling, is one in which proxies send addresses and names that clients have called. */
export function isForwardingHeader(name: string): boolean {
  const usual = usualName(name)
  return names.has(usual) || usual.startsWith('x-forwarded-')
}

/** What browsers put numbers with dots into; no server reads an address there. */
const neverAddresses = ['cookie', 'authorization', 'user-agent']

/**
 * Whether a header of a client could be taken for its address. The server behind may read one of any name, so the value
 * decides: it has an IP address in it, or the name is one that proxies use.
 * @param name in lower case
 */
function isAddressHeader(name: string, value: string | readonly string[] | undefined): boolean {
  if (isForwardingHeader(name)) return true
  return !neverAddresses.includes(name) && [value ?? ''].flat().some(hasAddress)
}

function hasAddress(text: string): boolean {
  const candidates = text.match(/[\da-f]*[.:][\da-f.:]+/gi) ?? []
  return candidates.some((candidate) => isIP(candidate) !== 0 || isIP(candidate.replace(/:\d*$/, '')) !== 0)
}

/**
 * The headers of a reply, by name in lower case. The two clients read them differently: undici gives one that came once
 * as a string and one that came again as a list, whatever its name; Node's own joins them or takes the first, and gives
 * `set-cookie` always as a list.
 */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Headers about the upstream's own host: a browser would apply them to ours. */
const hostBoundHeaders = ['strict-transport-security', 'alt-svc', 'public-key-pins']

/** The value of a header that makes sense once only: of several, the first counts. */
export const firstValue = (headers: ReceivedHeaders, name: string) => listOf(headers[name])[0]

const listOf = (value: string | string[] | undefined): string[] => [value ?? []].flat()

/**
 * The headers of a forwarded reply, without those of the connection to the upstream.
 * @param isTls whether browsers reach the gateway by https
 */
export function replyHeaders(
  received: ReceivedHeaders,
  upstream: URL,
  isTls: boolean,
): Record<string, string | string[]> {
  const named = listOf(received.connection).flatMap((names) => names.toLowerCase().split(','))
  const removed = new Set([...hostBoundHeaders, ...hopByHopHeaders, ...named.map((name) => name.trim())])
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(received)) {
    if (value !== undefined && !removed.has(name)) headers[name] = value
  }
  const [type, location] = [firstValue(received, 'content-type'), firstValue(received, 'location')]
  if (type !== undefined) headers['content-type'] = type
  if (location !== undefined) headers.location = ownLocation(location, upstream)
  const cookies = listOf(received['set-cookie'])
  if (cookies.length > 0) headers['set-cookie'] = cookies.map((cookie) => ownCookie(cookie, isTls))
  return headers
}

/** A cookie of the upstream as one of the gateway: for its host only, and sent by TLS alone exactly where there is TLS. */
function ownCookie(cookie: string, isTls: boolean): string {
  const [pair = '', ...attributes] = cookie.split(';')
  const ownAttributes = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split('=').map((part) => part.trim().toLowerCase())
    if (name === 'domain' || name === 'secure') return []
    // Without Secure, browsers refuse SameSite=None.
    return name === 'samesite' && value === 'none' && !isTls ? [' SameSite=Lax'] : [attribute]
  })
  return [pair, ...ownAttributes, ...(isTls ? [' Secure'] : [])].join(';')
}

/** A URL of the upstream as one of the gateway; other URLs stay. */
function ownLocation(location: string, upstream: URL): string {
  if (!/^(https?:)?\/\//i.test(location) || !URL.canParse(location, upstream)) return location
  const { origin, pathname, search, hash } = new URL(location, upstream)
  // A path that starts with two slashes would be a host name.
  return origin === upstream.origin ? pathname.replace(/^\/{2,}/, '/') + search + hash : location
}
