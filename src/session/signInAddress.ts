const home = '/dashboard'

/** The sign-in form's own address. */
export const login = '/dashboard/login'

/** Whether a path is the sign-in form's own. */
export const isLogin = (pathname: string): boolean => pathname.replace(/\/+$/, '') === login

/** The page that checks the connection. */
export const doctor = '/dashboard/doctor'

/** Whether a path is that page's. */
export const isDoctor = (pathname: string): boolean => pathname.replace(/\/+$/, '') === doctor

/**
 * Where a sign-in leads: the address asked for in `?next=`, if it lies in this console, else home. Anything else in
 * there was put by somebody who wants people to end up elsewhere.
 * @param search the query of the sign-in form's address
 */
export function nextAddress(search: string, origin = window.location.origin): string {
  const asked = nextIn(search)
  if (!asked) return home
  try {
    const url = new URL(asked, origin)
    const isOurs = url.origin === origin && (url.pathname === home || url.pathname.startsWith(`${home}/`))
    return isOurs && !isLogin(url.pathname) ? url.pathname + url.search + url.hash : home
  } catch {
    return home
  }
}

/**
 * The sign-in form's address for somebody who asked for another one; home needs no mention.
 * @param hasEnded whether they were signed in until just now
 */
export function loginFor(
  { pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>,
  hasEnded = false,
): string {
  const asked = pathname + search + hash
  const query = new URLSearchParams(hasEnded ? { ended: '1' } : {})
  if (asked.replace(/\/+$/, '') !== home && !isLogin(pathname)) query.set('next', asked)
  return query.size ? `${login}?${query}` : login
}

/** The address asked for, as it stands in the query. */
export const nextIn = (search: string) => new URLSearchParams(search).get('next')

/** The sign-in form's address, with an address asked for. */
export const withNext = (next: string) => `${login}?${new URLSearchParams({ next })}`

/** The sign-in form's address after a change that ended all sessions of the account. */
export const changedAddress = `${login}?changed=1`

/** Why the form is shown, as its address tells. */
export function reasonOf(search: string): 'changed' | 'ended' | 'first' | undefined {
  const query = new URLSearchParams(search)
  if (query.get('changed')) return 'changed'
  if (query.get('ended')) return 'ended'
  return query.has('next') ? 'first' : undefined
}
