import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { usePeerAddress } from '../../src/schemas/settings/siteSetting.ts'
import { readClientAddress } from '../auth/addresses/clientAddress.ts'
import type { Settings } from '../settings.ts'
import { ApiError } from '../wire/apiError.ts'
import { isAddressHeader } from './addressHeader.ts'

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
