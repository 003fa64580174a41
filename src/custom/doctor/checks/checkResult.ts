/** The checks, in the order of the page. */
export const checkNames = ['tls', 'api', 'cookies', 'csrf', 'clock', 'socket', 'address', 'age', 'mcp'] as const
export type CheckName = (typeof checkNames)[number]

/** `skipped`: the check was not possible or not needed. */
export type Health = 'good' | 'warning' | 'bad' | 'skipped'

/** The possible outcomes, each with its own sentence in the texts. */
export const outcomes = [
  'tls_good',
  'tls_here',
  'tls_missing',
  'api_good',
  'api_page',
  'api_blocked',
  'api_gateway',
  'api_unreachable',
  'api_said',
  'cookies_good',
  'cookies_session',
  'cookies_off',
  'cookies_over',
  'csrf_good',
  'csrf_none',
  'csrf_refused',
  'signed_out',
  'clock_good',
  'clock_ahead',
  'clock_behind',
  'clock_unknown',
  'socket_good',
  'socket_refused',
  'socket_refused_anonymous',
  'socket_silent',
  'socket_stopped',
  'address_good',
  'address_inner',
  'address_none',
  'age_embedded',
  'age_newer',
  'age_middle',
  'age_older',
  'not_reached',
  'mcp_on',
  'mcp_off',
  'mcp_unknown',
  'mcp_none',
] as const satisfies readonly string[]
export type CheckOutcome = (typeof outcomes)[number]

/** Features that the console hides because the server lacks them. */
export type HiddenFeature = 'tokens' | 'transfers' | 'sessions' | 'audit' | 'sign_out' | 'address_preview'

/** Which configuration lines of a reverse proxy help. */
export type ProxyConfigName = 'proxy' | 'sockets' | 'address' | 'tls'

export interface CheckResult {
  check: CheckName
  health: Health
  outcome: CheckOutcome
  /** Values for `%{name}` in the outcome's sentence. */
  values?: Readonly<Record<string, string | number>>
  proxyConfig?: ProxyConfigName
  /** Shown on the page, but not in the report. */
  isPrivate?: true
  hidden?: readonly HiddenFeature[]
}
