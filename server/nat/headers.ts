import type { IncomingMessage } from 'node:http'
import {
  cookies,
  knownBrowserCookie,
  pendingFactorCookie,
  pendingSignInCookie,
} from '../../src/schemas/define/wireNames.ts'
import { isBehindProxy, readClientAddress } from '../auth/addresses/clientAddress.ts'
import type { Waf } from '../auth/blocking/blockedAddresses.ts'
import { hopByHopHeaders, isForwardingHeader, usualName } from '../gateway/headers.ts'
import { ApiError } from '../wire/apiCall.ts'
import { NatError } from './natError.ts'

interface RequestOrigin extends Visitor {
  /** This server's value in `loopHeader`. */
  marker: string
}

/** Shows a server that it has forwarded a request itself. */
export const loopHeader = 'x-wheelhouse-nat'

const consoleCookies = new Set<string>([
  ...Object.values(cookies),
  pendingSignInCookie,
  pendingFactorCookie,
  knownBrowserCookie,
])

/** Headers as Node takes them: names and values alternately. */
type RawHeaders = string[]

/** The headers of the request to the service: the visitor's, and those about the visitor. */
export function requestHeaders(
  request: IncomingMessage,
  upgrade: string | undefined,
  origin: RequestOrigin,
): RawHeaders {
  const { headers, method = '' } = request
  // By names that a service could take for them: about the visitor only this server speaks.
  const removed = new Set(
    [...hopByHopHeaders, 'host', loopHeader, origin.realIpHeader, ...connectionHeaders(headers)].map(usualName),
  )
  const forwarded = headerPairs(request.rawHeaders).flatMap(([name, value]) => {
    const lowerName = name.toLowerCase()
    if (removed.has(usualName(name)) || isForwardingHeader(name)) return []
    const text = lowerName === 'cookie' ? withoutConsoleCookies(value) : value
    return text === '' && value !== '' ? [] : [name, text]
  })
  const transferEncoding = headers['transfer-encoding']
  // Without a length, Node would send a chunked body.
  const needsZeroLength =
    transferEncoding === undefined && headers['content-length'] === undefined && usuallyHasBody(method)
  const markers = [headers[loopHeader], origin.marker].flat().filter(Boolean).join(', ')
  return [
    'Host',
    headers.host ?? '',
    ...forwarded,
    ...(transferEncoding === undefined ? [] : ['Transfer-Encoding', transferEncoding]),
    ...(needsZeroLength ? ['Content-Length', '0'] : []),
    ...(origin.address === '' ? [] : ['X-Forwarded-For', origin.address, 'X-Real-IP', origin.address]),
    'X-Forwarded-Proto',
    origin.protocol,
    'X-Forwarded-Host',
    headers.host ?? '',
    loopHeader,
    markers,
    ...(upgrade === undefined ? ['Connection', 'close'] : ['Connection', 'Upgrade', 'Upgrade', upgrade]),
  ]
}

/** The headers of the reply to the visitor. A service cannot set cookies of the console. */
export function replyHeaders({ headers, rawHeaders }: IncomingMessage): RawHeaders {
  const removed = new Set([...hopByHopHeaders, ...connectionHeaders(headers)])
  return headerPairs(rawHeaders).flatMap(([name, value]) => {
    const lowerName = name.toLowerCase()
    return removed.has(lowerName) || (lowerName === 'set-cookie' && isConsoleCookie(value)) ? [] : [name, value]
  })
}

const usuallyHasBody = (method: string) => !['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(method)

/** The hop-by-hop headers that `Connection` lists. */
const connectionHeaders = ({ connection }: IncomingMessage['headers']) =>
  connection?.split(',').map((name) => name.trim().toLowerCase()) ?? []

function withoutConsoleCookies(cookieHeader: string): string {
  const otherCookies = cookieHeader
    .split(';')
    .filter((pair) => !consoleCookies.has(pair.split('=', 1)[0]?.trim() ?? ''))
  return otherCookies.join(';').trim()
}

/** Browsers send a cookie without a name, `=nz-jwt=x`, as `nz-jwt=x`. */
function isConsoleCookie(setCookie: string): boolean {
  const [, name = ''] = /^[\s=]*([^=;]*)/.exec(setCookie) ?? []
  return consoleCookies.has(name.trim())
}

function headerPairs(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''])
}

/** The sender of a request. */
interface Visitor {
  /** '' when the address is unknown. */
  address: string
  protocol: 'http' | 'https'
  /** The header in which a reverse proxy sends addresses, in lower case; '' without one. */
  realIpHeader: string
}

interface VisitorOptions {
  /** The setting `web_real_ip_header`. */
  header: string
  publicUrl: URL | undefined
  waf: Pick<Waf, 'isBlockedByAdmin'>
}

/** @throws NatError for addresses that an administrator blocked, as in the console */
export function visitorOf(request: IncomingMessage, { header, publicUrl, waf }: VisitorOptions): Visitor {
  const address = clientAddress(request, header)
  if (waf.isBlockedByAdmin(address)) throw new NatError(403, 'An administrator has blocked your address.')
  // Headers about the visitor only count when the settings say that there is a reverse proxy.
  const hasProxy = isBehindProxy(header)
  return {
    address,
    protocol: publicUrl ? protocolOf(publicUrl) : hasProxy ? forwardedProtocol(request) : 'http',
    realIpHeader: hasProxy ? header.toLowerCase() : '',
  }
}

const protocolOf = ({ protocol }: URL) => (protocol === 'https:' ? 'https' : 'http')

const forwardedProtocol = ({ headers }: IncomingMessage) =>
  headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'

function clientAddress(request: IncomingMessage, header: string): string {
  try {
    return readClientAddress(request, header)
  } catch (error) {
    // Its message repeats what the visitor sent.
    if (error instanceof ApiError) throw new NatError(403, 'The proxy in front does not say who the visitor is.')
    throw error
  }
}
