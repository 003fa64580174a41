import { hopByHopHeaders } from './requestHeaders.ts'

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
