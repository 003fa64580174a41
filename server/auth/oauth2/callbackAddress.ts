import type { FastifyRequest } from 'fastify'
import type { Store } from '../../db/store.ts'
import type { Settings } from '../../settings.ts'
import { readSite } from '../../site/site.ts'
import { isLoopbackAddress } from '../addresses/clientAddress.ts'

export const callbackPath = '/api/v1/oauth2/callback'

/**
 * Where a provider sends the browser back to (docs/contract/CONTRACT.md#53-oauth2): the public address; without one the
 * name by which we are called, or the setting `dashboard_host` when that name is no declared one.
 */
export function callbackUrl(
  request: FastifyRequest,
  store: Store,
  { host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>,
): string {
  if (publicUrl) return publicUrl.origin + callbackPath
  const { dashboard_host } = readSite(store)
  const called = request.hostname.replace(/^\[(.*)\]$/, '$1')
  const isDeclared = ['localhost', host].includes(called) || isLoopbackAddress(called)
  const name =
    !isDeclared && typeof dashboard_host === 'string' && dashboard_host !== '' ? dashboard_host : request.host
  return `${isSecure(request) ? 'https' : 'http'}://${name}${callbackPath}`
}

/** A proxy with TLS says so, or the page does that the call comes from. */
const isSecure = ({ headers }: FastifyRequest) =>
  headers['x-forwarded-proto'] === 'https' || (headers.referer ?? '').startsWith('https://')
