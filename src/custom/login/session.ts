/**
 * The session as the sign-in form knows it. These names stand in `schemas/envelope.ts` too; the form repeats them
 * because that file brings zod along, which is larger than the whole form.
 */
const cookieNames = { session: 'nz-jwt', csrf: 'nz-csrf' }

/** Whether this browser holds a session; only the server knows whether it still counts. */
export const holdsSession = (): boolean =>
  document.cookie.split('; ').some((pair) => pair.startsWith(`${cookieNames.session}=`))

/** Forgets what is left of a session. */
export function forgetSession(): void {
  for (const name of Object.values(cookieNames)) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where a page came without TLS
    document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
  }
}

/**
 * Whether the session that this browser holds still counts. A leftover that does not is forgotten: sent along to a
 * public route, a revoked session counts as an attack and blocks the address. A protected route is safe to ask.
 */
export async function stillSignedIn(): Promise<boolean> {
  if (!holdsSession()) return false
  try {
    const reply = await fetch('/api/v1/profile', { credentials: 'same-origin' })
    const body: unknown = await reply.json()
    if (reply.ok && (body as { success?: unknown }).success === true) return true
  } catch {
    // No answer, or no JSON: the form is shown, and says what is wrong when somebody signs in.
  }
  forgetSession()
  return false
}
