import { cookies } from './schemas/wireNames.ts'

/** The value of a cookie that scripts may read, or `undefined`. */
export function cookie(name: string): string | undefined {
  for (const pair of document.cookie.split('; ')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at) === name) return decodeURIComponent(pair.slice(at + 1))
  }
  return undefined
}

/** Whether this browser holds a session token; only the server knows whether it still counts. */
export const hasSession = () => Boolean(cookie(cookies.session))

/**
 * Forgets the session's cookies. It has to come before any other call: a revoked token on a public route
 * counts as an attack and blocks the address (CONTRACT section 3).
 */
export function clearCookies() {
  for (const name of [cookies.session, cookies.csrf]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the page is not a secure context
    document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
  }
}

/** Where people sign in, and the address they are led back to afterwards. */
export function loginAddress(reason: 'ended' | 'first' | 'left'): string {
  const query = new URLSearchParams()
  if (reason === 'ended') query.set('ended', '1')
  const { pathname, search } = window.location
  if (reason !== 'left' && pathname !== '/dashboard/login') query.set('next', pathname + search)
  return `/dashboard/login${query.size ? `?${query}` : ''}`
}
