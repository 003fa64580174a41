import type { IncomingHttpHeaders } from 'node:http'

/** What is true of the upstream's own address only: a browser would take it for something about ours. */
const ofItsAddress = ['strict-transport-security', 'alt-svc', 'public-key-pins']

/**
 * The headers with which a reply comes back.
 * @param isTls whether browsers reach the gateway by https
 */
export function replyHeaders<H extends IncomingHttpHeaders>(received: H, upstream: URL, isTls: boolean): H {
  const headers: H = { ...received }
  for (const name of ofItsAddress) delete headers[name]
  if (headers['set-cookie']) headers['set-cookie'] = headers['set-cookie'].map((cookie) => ownCookie(cookie, isTls))
  if (headers.location !== undefined) headers.location = ownLocation(headers.location, upstream)
  return headers
}

/** A cookie as one of the gateway: for its host alone, and kept by browsers also where there is no TLS. */
function ownCookie(cookie: string, isTls: boolean): string {
  const [pair = '', ...attributes] = cookie.split(';')
  const kept = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split('=').map((part) => part.trim().toLowerCase())
    if (name === 'domain' || (name === 'secure' && !isTls)) return []
    // Without Secure, browsers refuse it.
    return name === 'samesite' && value === 'none' && !isTls ? [' SameSite=Lax'] : [attribute]
  })
  return [pair, ...kept].join(';')
}

/** An address of the upstream as one of the gateway; others stay. */
function ownLocation(location: string, upstream: URL): string {
  if (!/^(https?:)?\/\//i.test(location) || !URL.canParse(location, upstream)) return location
  const { origin, pathname, search, hash } = new URL(location, upstream)
  // A path that begins with two slashes would name a host.
  return origin === upstream.origin ? pathname.replace(/^\/{2,}/, '/') + search + hash : location
}
