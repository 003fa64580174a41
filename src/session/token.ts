import { cookies } from '../schemas/define/wireNames.ts'

/** The value of a cookie that scripts may read, or `undefined`. */
export function cookie(name: string): string | undefined {
  for (const pair of document.cookie.split('; ')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at) === name) return decodeURIComponent(pair.slice(at + 1))
  }
  return undefined
}

/** The token of the session that this browser holds. */
export const sessionToken = () => cookie(cookies.session)

/** Whether this browser holds a session token; only the server knows whether it still counts. */
export const hasSession = () => Boolean(sessionToken())

/**
 * Forgets the session's cookies. It has to come before any other call: a revoked token on a public route
 * counts as an attack and blocks the address (docs/contract/CONTRACT.md#3-session-csrf-login-address-blocking).
 */
export function clearCookies() {
  for (const name of Object.values(cookies)) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the page is not a secure context
    document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
  }
}
