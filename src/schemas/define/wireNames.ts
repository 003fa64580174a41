/** Names of the wire that are plain values. No zod in here: the sign-in form loads this file. */

/**
 * Names of the cookies and the header of a session (docs/contract/CONTRACT.md#3-session-csrf-login-address-blocking).
 */
export const cookies = { session: 'nz-jwt', csrf: 'nz-csrf' } as const
/** The cookie that holds the state of a sign-in at an OAuth2 provider; scripts cannot read it (docs/contract/CONTRACT.md#53-oauth2). */
export const pendingSignInCookie = 'nz-o2s'
/** The cookie that holds a sign-in at an OAuth2 provider until the second factor is given. Embedded server only. */
export const pendingFactorCookie = 'nz-2fa'
/** The cookie that leads to the sign-out of the proxy in front after one here. Embedded server only. */
export const signedOutCookie = 'nz-out'
/** The cookie of a browser in which somebody has signed in; scripts cannot read it, and a sign-out leaves it. Embedded server only. */
export const knownBrowserCookie = 'nz-kb'
export const csrfHeader = 'x-csrf-token'
/** The header with a value that no other request has: one that comes again with it is not carried out again. Embedded server only. */
export const requestIdHeader = 'idempotency-key'
/** Milliseconds for which the server knows such a request, from its reply on. */
export const requestIdMs = 10 * 60_000

/** Prefixes that are safe to match: all other texts follow the site's language. */
export const errorPrefix = {
  unauthorized: 'ApiErrorUnauthorized',
  forbidden: 'ApiErrorForbidden',
  /** The next three: embedded server only. A sign-in whose password was right needs a second factor. */
  secondFactor: 'ApiErrorSecondFactorNeeded',
  /** Nothing else works until this person has set up a second factor. */
  setUpSecondFactor: 'ApiErrorSecondFactorSetup',
  /** The last proof of who is at the keyboard is too old for this call. */
  reauthentication: 'ApiErrorReauthentication',
} as const

/** The one 403 after which a request succeeds with a fresh CSRF cookie. */
export const csrfFailure = `${errorPrefix.forbidden}: missing or invalid CSRF token`

/** What a redirect to an OAuth2 provider is for, as the wire numbers it (docs/contract/CONTRACT.md#6-enumerations). */
export const oauth2Intents = { login: 1, bind: 2 } as const

/**
 * How a sign-in at an OAuth2 provider can fail: `?oauth2_error=` on the page to which the embedded server redirects.
 * Other servers answer with JSON in place of a page.
 */
export const oauth2Failures = ['state', 'denied', 'no_code', 'rejected', 'failed', 'unbound', 'not_signed_in'] as const
/** The same for a sign-in: the account is disabled, its name is somebody's already, or no account could have that name. */
export const signInFailures = [...oauth2Failures, 'disabled', 'taken', 'bad_name'] as const
export type Oauth2Failure = (typeof signInFailures)[number]

/** The error for a blocked address that asks for JSON; a browser gets a page. */
export const blockedFailure = `${errorPrefix.forbidden}: this address is blocked after failed sign-ins`

/** The error where a proxy before a server refuses the size of a request, with a page of its own. @param origin its address */
export const bodyRefusedBy = (origin: string) =>
  `A proxy at ${origin} takes no body of this size (HTTP 413): allow larger ones there, as by client_max_body_size in nginx.`

/** The error where something answers with a page in place of the server, as a proxy that wants a sign-in. @param origin its address */
export const pageSentBy = (origin: string, status: number) =>
  `A page came from ${origin} in place of the server's answer (HTTP ${status}): reload the console, a proxy may ask for a sign-in.`

/** The error of a sign-in with the right password to an account that an administrator has disabled. */
export const accountDisabled = 'this account is disabled: ask an administrator to enable it'

/** The errors of a sign-in with the right password of a directory, for which there is no account here. */
export const outsideRefusals = {
  unbound: 'there is no account for you here: ask an administrator',
  disabled: accountDisabled,
  taken: 'an account here has your name already: ask an administrator to rename one of the two',
  bad_name: 'an account here cannot have your name: ask an administrator',
} as const

/** The error of the right password of a directory that has expired, or has to be changed at first. */
export const directoryPasswordExpired =
  'your password has expired, or must be changed at the first sign-in: change it where your account is, then sign in here'

/** The error of a way to sign in that this server keeps closed. */
export const onlyProviders = 'people sign in only by a provider here: choose it on the sign-in page'

/** What the start of a sign-in is answered at a provider that does not say where it is. */
export const providerUnusable = 'the provider cannot be used at the moment: the log of the server says why'

/** The error of an invitation that cannot be accepted any more. */
export const invitationEnded = 'this invitation was used, taken back or is older than seven days: ask for another one'

/** The error of a name that somebody has already. */
export const usernameTaken = 'this username is taken: choose another one'

/** What servers write for "never" and "offline". */
export const zeroTime = '0001-01-01T00:00:00Z'
