import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { usePeerAddress } from '../../src/schemas/settings/siteSetting.ts'
import { readClientAddress } from '../auth/addresses/clientAddress.ts'
import type { Settings } from '../settings.ts'
import { ApiError } from '../wire/apiError.ts'

/** How the gateway tells the upstream whose request it passes on. */
export type ProxySettings = Pick<Settings, 'realIpHeader' | 'trustedProxies' | 'publicUrl'>

type Asked = Pick<IncomingMessage, 'headers' | 'socket'>

/** What concerns one connection only, and what the proxy library cannot pass on. */
export const hopByHopHeaders = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'http2-settings', 'expect'],
]

/** Where proxies write addresses. What a visitor says there is not passed on. */
export const clientAddressHeaders = [
  ...['forwarded', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-server', 'x-client-ip', 'x-cluster-client-ip'],
  ...['cf-connecting-ip', 'cf-connecting-ipv6', 'true-client-ip', 'fastly-client-ip'],
]

/** Where servers look for the address, unless they are told another place. */
const usualPlaces = ['x-forwarded-for', 'x-real-ip', 'nz-realip']

/** The header that the upstream reads; `x-real-ip` when the operator has not said. */
function realIpHeaderOf({ realIpHeader }: ProxySettings): string {
  return realIpHeader === undefined || realIpHeader === usePeerAddress ? 'x-real-ip' : realIpHeader.toLowerCase()
}

/** The visitor's address: the other end of the connection, or what a proxy in front that is trusted says. */
export function clientAddress(asked: Asked, introduction: ProxySettings): string {
  const peer = readClientAddress(asked, usePeerAddress)
  if (!introduction.trustedProxies?.includes(peer)) return peer
  try {
    return readClientAddress(asked, realIpHeaderOf(introduction))
  } catch (error) {
    if (error instanceof ApiError) return peer
    throw error
  }
}

/** Whose request it is, and to whom it goes. A request of the gateway's own says no more. */
export function addressHeaders(asked: Asked, upstream: URL, introduction: ProxySettings): IncomingHttpHeaders {
  const visitor = clientAddress(asked, introduction)
  const places = [...usualPlaces, realIpHeaderOf(introduction)]
  // Of a browser that came by TLS the server has to know; one that has TLS itself may lead all others there.
  const isTls = [upstream, introduction.publicUrl].some((url) => url?.protocol === 'https:')
  return {
    host: upstream.host,
    'x-forwarded-proto': isTls ? 'https' : 'http',
    ...Object.fromEntries(places.map((name) => [name, visitor])),
  }
}

/** The headers with which a request goes on: as if the visitor had called the upstream by its own name. */
export function requestHeaders(asked: Asked, upstream: URL, introduction: ProxySettings): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = { ...asked.headers }
  const named = headers.connection?.toLowerCase().split(',') ?? []
  for (const name of [...hopByHopHeaders, ...clientAddressHeaders, ...named.map((one) => one.trim())])
    delete headers[name]
  if (headers.origin !== undefined) headers.origin = upstream.origin
  // It says by which name the gateway is called, and some servers take it for where to lead people back to.
  delete headers.referer
  return { ...headers, ...addressHeaders(asked, upstream, introduction) }
}
