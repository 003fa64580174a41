import type { FastifyRequest } from 'fastify'
import type { Store } from '../../db/store.ts'
import type { Settings } from '../../settings.ts'
import { readSite } from '../../site/site.ts'
import { isLoopbackAddress } from '../addresses/clientAddress.ts'
import { isOverTls } from '../addresses/ownOrigin.ts'

export const callbackPath = '/api/v1/oauth2/callback'

/**
 * Where a provider sends the browser back to (docs/contract/CONTRACT.md#53-oauth2): the public URL; without one the
 * host name of the request, or the setting `dashboard_host` when the request has another name than ours.
 */
export function callbackUrl(
  request: FastifyRequest,
  store: Store,
  { host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>,
): string {
  if (publicUrl) return publicUrl.origin + callbackPath
  const { dashboard_host, web_real_ip_header } = readSite(store)
  const requestedHost = request.hostname.replace(/^\[(.*)\]$/, '$1')
  const isOwnName = ['localhost', host].includes(requestedHost) || isLoopbackAddress(requestedHost)
  const name = !isOwnName && typeof dashboard_host === 'string' && dashboard_host !== '' ? dashboard_host : request.host
  return `${isSecure(request, web_real_ip_header) ? 'https' : 'http'}://${name}${callbackPath}`
}

/** Also by the page that the request comes from: not every proxy with TLS says so. */
const isSecure = (request: FastifyRequest, realIpHeader: string) =>
  isOverTls(request, realIpHeader) || (request.headers.referer ?? '').startsWith('https://')
