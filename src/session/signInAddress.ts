import { consolePath } from '../schemas/consolePath.ts'

/** The path of the sign-in form. */
export const loginPath = `${consolePath}/login`

/** Whether a path is that of the sign-in form. */
export const isLoginPath = (pathname: string): boolean => pathname.replace(/\/+$/, '') === loginPath

/** Whether a path is that of the start page, which shows the servers. */
export const isStartPath = (pathname: string): boolean => pathname.replace(/\/+$/, '') === consolePath

/** Whether a path is that of a terminal. */
export const isTerminalPath = (pathname: string): boolean => pathname.startsWith(`${consolePath}/terminal/`)

/** The path of the connection check. */
export const doctorPath = `${consolePath}/doctor`

/** Whether a path is that of the connection check. */
export const isDoctorPath = (pathname: string): boolean => pathname.replace(/\/+$/, '') === doctorPath

/**
 * Where a sign-in leads: the address in `?next=` if it is in this console, else the start page. An address elsewhere
 * would be an open redirect.
 * @param search the query of the sign-in form's address
 */
export function addressAfterSignIn(search: string, origin = window.location.origin): string {
  const next = nextParameter(search)
  if (!next) return consolePath
  try {
    const url = new URL(next, origin)
    const isInConsole =
      url.origin === origin && (url.pathname === consolePath || url.pathname.startsWith(`${consolePath}/`))
    return isInConsole && !isLoginPath(url.pathname) ? url.pathname + url.search + url.hash : consolePath
  } catch {
    return consolePath
  }
}

/**
 * The address of the sign-in form that leads back to the given one; the start page needs no parameter.
 * @param hasEnded whether they were signed in until just now
 */
export function loginAddressFor(
  { pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>,
  hasEnded = false,
): string {
  const address = pathname + search + hash
  const query = new URLSearchParams(hasEnded ? { ended: '1' } : {})
  if (address.replace(/\/+$/, '') !== consolePath && !isLoginPath(pathname)) query.set('next', address)
  return query.size ? `${loginPath}?${query}` : loginPath
}

/** The address to return to, as the query has it. */
export const nextParameter = (search: string) => new URLSearchParams(search).get('next')

/** The address of the sign-in form, with one to return to. */
export const loginAddressWithNext = (next: string) => `${loginPath}?${new URLSearchParams({ next })}`

/** The address of the sign-in form after a change that ended all sessions of the account. */
export const passwordChangedAddress = `${loginPath}?changed=1`

/** Why the form is shown, by its address. */
export function signInReason(search: string): 'changed' | 'ended' | 'first' | undefined {
  const query = new URLSearchParams(search)
  if (query.get('changed')) return 'changed'
  if (query.get('ended')) return 'ended'
  return query.has('next') ? 'first' : undefined
}
