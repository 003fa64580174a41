import { errorPrefix } from '../../../schemas/define/wireNames.ts'
import { addressKind } from './addressKind.ts'
import type { CheckResult, HiddenFeature } from './checkResult.ts'
import { isGood, type Reply } from './sendRequest.ts'

/** Whether what is typed here can be read on the way. */
export function evaluateTls({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): CheckResult {
  if (protocol === 'https:') return { check: 'tls', health: 'good', outcome: 'tls_good' }
  if (addressKind(hostname) === 'own') return { check: 'tls', health: 'good', outcome: 'tls_here' }
  return { check: 'tls', health: 'warning', outcome: 'tls_missing', proxyConfig: 'tls' }
}

/** Whether the API answers, by the first reply that came. */
export function evaluateApi({ status, body }: Reply): CheckResult {
  const bad = (rest: Omit<CheckResult, 'check' | 'health'>): CheckResult => ({ check: 'api', health: 'bad', ...rest })
  if (status === 0) return bad({ outcome: 'api_unreachable', proxyConfig: 'proxy' })
  if (body?.success === true || body?.error?.startsWith(errorPrefix.unauthorized)) {
    return { check: 'api', health: 'good', outcome: 'api_good' }
  }
  if (status === 403) return bad({ outcome: 'api_blocked' })
  if (status >= 502 && status <= 504) return bad({ outcome: 'api_gateway', values: { status }, proxyConfig: 'proxy' })
  if (!body) return bad({ outcome: 'api_page', values: { status }, proxyConfig: 'proxy' })
  return bad({ outcome: 'api_said', values: { words: body.error ?? status }, proxyConfig: 'address' })
}

/** Whether the browser keeps cookies, and the server knows the session's. */
export function evaluateCookies(keepsCookies: boolean, session: 'signedIn' | 'over' | 'nobody'): CheckResult {
  if (!keepsCookies) return { check: 'cookies', health: 'bad', outcome: 'cookies_off' }
  if (session === 'over') return { check: 'cookies', health: 'warning', outcome: 'cookies_over' }
  return { check: 'cookies', health: 'good', outcome: session === 'signedIn' ? 'cookies_session' : 'cookies_good' }
}

/**
 * Whether the pair of cookie and header is taken.
 * @param reply of a renewal of the session by POST; nothing when nobody is signed in
 */
export function evaluateCsrf(reply: Reply | undefined): CheckResult {
  if (!reply) return { check: 'csrf', health: 'skipped', outcome: 'signed_out' }
  if (isGood(reply)) return { check: 'csrf', health: 'good', outcome: 'csrf_good' }
  // Servers before the pair renew by GET, and know no such call.
  if (reply.status === 404) return { check: 'csrf', health: 'skipped', outcome: 'csrf_none' }
  return { check: 'csrf', health: 'bad', outcome: 'csrf_refused', proxyConfig: 'proxy' }
}

/** Half a minute is what nobody notices: tokens live for an hour, and times on screen are told to the minute. */
const clockTolerance = 30_000

/** @param now ms since 1970 by this browser */
export function evaluateClock({ clock }: Reply, now = Date.now()): CheckResult {
  if (!clock) return { check: 'clock', health: 'skipped', outcome: 'clock_unknown' }
  const off = now - clock.at
  const seconds = Math.round(Math.abs(off) / 1000)
  if (Math.abs(off) <= clockTolerance + clock.within) {
    return { check: 'clock', health: 'good', outcome: 'clock_good', values: { seconds } }
  }
  const outcome = off > 0 ? 'clock_ahead' : 'clock_behind'
  return { check: 'clock', health: 'warning', outcome, values: { seconds } }
}

/**
 * Whether the server can tell people apart by their addresses.
 * @param address what the server says of this browser; nothing when it does not know
 */
export function evaluateAddress(isSignedIn: boolean, address: string | undefined, pageHost: string): CheckResult {
  if (!isSignedIn) return { check: 'address', health: 'skipped', outcome: 'signed_out' }
  if (!address) return { check: 'address', health: 'warning', outcome: 'address_none', proxyConfig: 'address' }
  const isInner = addressKind(address) !== 'public' && addressKind(pageHost) === 'public'
  const said = { values: { address }, isPrivate: true } as const
  return isInner
    ? { check: 'address', health: 'warning', outcome: 'address_inner', proxyConfig: 'address', ...said }
    : { check: 'address', health: 'good', outcome: 'address_good', ...said }
}

/** What is known of a server's age. */
export interface VersionHints {
  /** `data` of `GET /setting`; nothing when it cannot be had. */
  setting?: { wheelhouse?: Record<string, unknown>; version?: string; tsdb_enabled?: boolean }
  /** Whether it gave out the CSRF cookie. */
  hasCsrf: boolean
  /** Status of the lists that came late; nothing where they were not asked for. */
  tokens?: number
  transfers?: number
}

/** The server's age, by what it has, and what this console therefore leaves out. */
export function evaluateVersion({ setting, hasCsrf, tokens, transfers }: VersionHints): CheckResult {
  if (!setting) return { check: 'age', health: 'skipped', outcome: 'not_reached' }
  const own = setting.wheelhouse
  const hidden: HiddenFeature[] = own
    ? ['tokens', 'transfers', 'move']
    : ['sessions', 'sign_out', 'audit', 'address_preview']
  if (tokens === 404) hidden.unshift('tokens')
  if (transfers === 404) hidden.unshift('transfers')
  const version = String(own?.version ?? setting.version ?? '')
  const foreign = hasCsrf ? 'age_newer' : setting.tsdb_enabled === undefined ? 'age_older' : 'age_middle'
  return { check: 'age', health: 'good', outcome: own ? 'age_embedded' : foreign, values: { version }, hidden }
}
