import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** The site that a passkey belongs to: a browser uses it nowhere else. */
export interface RelyingParty {
  /** The host name. */
  id: string
  origin: string
}

/**
 * The site on whose page the request was made; `undefined` where passkeys cannot be used: at an IP address, without TLS on
 * other names than localhost, and behind a proxy at other addresses than `PUBLIC_URL`. That the page is one of ours was
 * checked before (see `refuseForeignOrigin`).
 */
export function relyingPartyOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicUrl?: URL,
): RelyingParty | undefined {
  const { origin } = headers
  if (!origin || !URL.canParse(origin) || (publicUrl && origin !== publicUrl.origin)) return undefined
  const { hostname, protocol } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 || (protocol !== 'https:' && !isLocal)) return undefined
  return { id: hostname, origin }
}
