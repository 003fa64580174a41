import { cookies } from '../schemas/define/wireNames.ts'

/** The value of a cookie that scripts may read, or `undefined`. */
export function cookie(name: string): string | undefined {
  for (const pair of document.cookie.split('; ')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at) === name) return decodeURIComponent(pair.slice(at + 1))
  }
  return undefined
}

/** The session token of this browser. */
export const sessionToken = () => cookie(cookies.session)

/** Whether this browser has a session token; only the server knows whether it is still valid. */
export const hasSession = () => Boolean(sessionToken())

/**
 * Removes the session's cookies. Must happen before any other call: a revoked token on a public route
 * counts as an attack and blocks the address (docs/contract/CONTRACT.md#3-session-csrf-login-address-blocking).
 */
export function clearSessionCookies() {
  for (const name of Object.values(cookies)) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the page is not a secure context
    document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
  }
}
