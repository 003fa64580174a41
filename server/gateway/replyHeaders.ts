import type { IncomingHttpHeaders } from 'node:http'

/** Headers about the upstream's own host: a browser would apply them to ours. */
const hostBoundHeaders = ['strict-transport-security', 'alt-svc', 'public-key-pins']

/**
 * The headers of a forwarded reply.
 * @param isTls whether browsers reach the gateway by https
 */
export function replyHeaders<H extends IncomingHttpHeaders>(received: H, upstream: URL, isTls: boolean): H {
  const headers: H = { ...received }
  for (const name of hostBoundHeaders) delete headers[name]
  if (headers['set-cookie']) headers['set-cookie'] = headers['set-cookie'].map((cookie) => ownCookie(cookie, isTls))
  if (headers.location !== undefined) headers.location = ownLocation(headers.location, upstream)
  return headers
}

/** A cookie of the upstream as one of the gateway: for its host only, and valid without TLS if it has none. */
function ownCookie(cookie: string, isTls: boolean): string {
  const [pair = '', ...attributes] = cookie.split(';')
  const ownAttributes = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split('=').map((part) => part.trim().toLowerCase())
    if (name === 'domain' || (name === 'secure' && !isTls)) return []
    // Without Secure, browsers refuse SameSite=None.
    return name === 'samesite' && value === 'none' && !isTls ? [' SameSite=Lax'] : [attribute]
  })
  return [pair, ...ownAttributes].join(';')
}

/** A URL of the upstream as one of the gateway; other URLs stay. */
function ownLocation(location: string, upstream: URL): string {
  if (!/^(https?:)?\/\//i.test(location) || !URL.canParse(location, upstream)) return location
  const { origin, pathname, search, hash } = new URL(location, upstream)
  // A path that starts with two slashes would be a host name.
  return origin === upstream.origin ? pathname.replace(/^\/{2,}/, '/') + search + hash : location
}
