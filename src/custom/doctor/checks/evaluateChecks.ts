import { errorPrefix } from '../../../schemas/define/wireNames.ts'
import { addressKind } from './addressKind.ts'
import type { Finding, Hidden } from './checkResult.ts'
import { isGood, type Reply } from './sendRequest.ts'

/** Whether what is typed here can be read on the way. */
export function judgeTls({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): Finding {
  if (protocol === 'https:') return { check: 'tls', health: 'good', verdict: 'tls_good' }
  if (addressKind(hostname) === 'own') return { check: 'tls', health: 'good', verdict: 'tls_here' }
  return { check: 'tls', health: 'warning', verdict: 'tls_missing', remedy: 'tls' }
}

/** Whether the API answers, by the first reply that came. */
export function judgeApi({ status, body }: Reply): Finding {
  const bad = (rest: Omit<Finding, 'check' | 'health'>): Finding => ({ check: 'api', health: 'bad', ...rest })
  if (status === 0) return bad({ verdict: 'api_unreachable', remedy: 'proxy' })
  if (body?.success === true || body?.error?.startsWith(errorPrefix.unauthorized)) {
    return { check: 'api', health: 'good', verdict: 'api_good' }
  }
  if (status === 403) return bad({ verdict: 'api_blocked' })
  if (status >= 502 && status <= 504) return bad({ verdict: 'api_gateway', values: { status }, remedy: 'proxy' })
  if (!body) return bad({ verdict: 'api_page', values: { status }, remedy: 'proxy' })
  return bad({ verdict: 'api_said', values: { words: body.error ?? status }, remedy: 'address' })
}

/** Whether the browser keeps cookies, and the server knows the session's. */
export function judgeCookies(keepsCookies: boolean, standing: 'signedIn' | 'over' | 'nobody'): Finding {
  if (!keepsCookies) return { check: 'cookies', health: 'bad', verdict: 'cookies_off' }
  if (standing === 'over') return { check: 'cookies', health: 'warning', verdict: 'cookies_over' }
  return { check: 'cookies', health: 'good', verdict: standing === 'signedIn' ? 'cookies_session' : 'cookies_good' }
}

/**
 * Whether the pair of cookie and header is taken.
 * @param reply of a renewal of the session by POST; nothing when nobody is signed in
 */
export function judgeCsrf(reply: Reply | undefined): Finding {
  if (!reply) return { check: 'csrf', health: 'skipped', verdict: 'signed_out' }
  if (isGood(reply)) return { check: 'csrf', health: 'good', verdict: 'csrf_good' }
  // Servers before the pair renew by GET, and know no such call.
  if (reply.status === 404) return { check: 'csrf', health: 'skipped', verdict: 'csrf_none' }
  return { check: 'csrf', health: 'bad', verdict: 'csrf_refused', remedy: 'proxy' }
}

/** Half a minute is what nobody notices: tokens live for an hour, and times on screen are told to the minute. */
const clockTolerance = 30_000

/** @param now ms since 1970 by this browser */
export function judgeClock({ clock }: Reply, now = Date.now()): Finding {
  if (!clock) return { check: 'clock', health: 'skipped', verdict: 'clock_unknown' }
  const off = now - clock.at
  const seconds = Math.round(Math.abs(off) / 1000)
  if (Math.abs(off) <= clockTolerance + clock.within) {
    return { check: 'clock', health: 'good', verdict: 'clock_good', values: { seconds } }
  }
  const verdict = off > 0 ? 'clock_ahead' : 'clock_behind'
  return { check: 'clock', health: 'warning', verdict, values: { seconds } }
}

/**
 * Whether the server can tell people apart by their addresses.
 * @param address what the server says of this browser; nothing when it does not know
 */
export function judgeAddress(isSignedIn: boolean, address: string | undefined, pageHost: string): Finding {
  if (!isSignedIn) return { check: 'address', health: 'skipped', verdict: 'signed_out' }
  if (!address) return { check: 'address', health: 'warning', verdict: 'address_none', remedy: 'address' }
  const isInner = addressKind(address) !== 'public' && addressKind(pageHost) === 'public'
  const said = { values: { address }, isPrivate: true } as const
  return isInner
    ? { check: 'address', health: 'warning', verdict: 'address_inner', remedy: 'address', ...said }
    : { check: 'address', health: 'good', verdict: 'address_good', ...said }
}

/** What is known of a server's age. */
export interface AgeSigns {
  /** `data` of `GET /setting`; nothing when it cannot be had. */
  setting?: { wheelhouse?: Record<string, unknown>; version?: string; tsdb_enabled?: boolean }
  /** Whether it gave out the CSRF cookie. */
  hasCsrf: boolean
  /** Status of the lists that came late; nothing where they were not asked for. */
  tokens?: number
  transfers?: number
}

/** The server's age, by what it has, and what this console therefore leaves out. */
export function judgeAge({ setting, hasCsrf, tokens, transfers }: AgeSigns): Finding {
  if (!setting) return { check: 'age', health: 'skipped', verdict: 'not_reached' }
  const own = setting.wheelhouse
  const hidden: Hidden[] = own ? ['tokens', 'transfers', 'move'] : ['sessions', 'sign_out', 'audit', 'address_preview']
  if (tokens === 404) hidden.unshift('tokens')
  if (transfers === 404) hidden.unshift('transfers')
  const version = String(own?.version ?? setting.version ?? '')
  const foreign = hasCsrf ? 'age_newer' : setting.tsdb_enabled === undefined ? 'age_older' : 'age_middle'
  return { check: 'age', health: 'good', verdict: own ? 'age_embedded' : foreign, values: { version }, hidden }
}
