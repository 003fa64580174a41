import { fieldsIn, type Values } from '../../../schemas/define/values.ts'
import { cookies, csrfHeader, errorPrefix } from '../../../schemas/define/wireNames.ts'
import { clearSessionCookies, cookie, hasSession } from '../../../session/token.ts'
import { recordTokenReceipt } from '../../../session/tokenAge.ts'
import type { CheckResult, HiddenFeature } from './checkResult.ts'

/**
 * Runs all checks in a safe order: the session is checked before any public route is called, and an ended session's
 * cookies are removed then.
 * @param onResult called with each result as soon as it is known
 */
export async function runChecks(onResult: (result: CheckResult) => void): Promise<void> {
  const { location } = window
  onResult(evaluateTls(location))
  const hadSession = hasSession()
  const profile = await sendRequest('GET', hadSession ? 'profile' : 'setting', !hadSession)
  const api = evaluateApi(profile)
  onResult(api)
  const isThere = api.health === 'good'
  const isSignedIn = hadSession && isGood(profile)
  if (hadSession && isThere && !isSignedIn) clearSessionCookies()
  const session = isSignedIn ? 'signedIn' : hadSession && isThere ? 'over' : 'nobody'
  onResult(evaluateCookies(keepsCookies(), session))
  onResult(evaluateClock(profile))
  const { login_ip } = fieldsIn(isSignedIn ? profile.body?.data : undefined)
  if (!isThere) {
    for (const check of ['csrf', 'socket', 'address', 'age', 'mcp'] as const) {
      onResult({ check, health: 'skipped', outcome: 'not_reached' })
    }
    return
  }
  onResult(evaluateAddress(isSignedIn, typeof login_ip === 'string' ? login_ip : undefined, location.hostname))
  const renewal = isSignedIn ? await sendRequest('POST', 'refresh-token') : undefined
  if (renewal && isGood(renewal)) recordTokenReceipt()
  onResult(evaluateCsrf(renewal))
  const [socket, versionHints] = await Promise.all([checkSocket(isSignedIn), readVersionHints(isSignedIn)])
  onResult(socket)
  onResult(evaluateVersion(versionHints))
  onResult(evaluateMcp(versionHints.setting, isSignedIn, `${location.origin}/mcp`))
}

/** Asks Nezha servers for lists that only newer versions have; the embedded server announces its features. */
async function readVersionHints(isSignedIn: boolean): Promise<VersionHints> {
  const { body } = await sendRequest('GET', 'setting', !isSignedIn)
  const setting = body?.data as VersionHints['setting']
  const hasCsrf = cookie(cookies.csrf) !== undefined
  if (!setting || setting.wheelhouse || !isSignedIn) return { setting, hasCsrf }
  const [tokens, transfers] = await Promise.all(['api-tokens', 'transfer'].map((path) => sendRequest('GET', path)))
  return { setting, hasCsrf, tokens: tokens?.status, transfers: transfers?.status }
}

/** Whether a cookie can be set and read again. */
function keepsCookies(): boolean {
  const name = 'wheelhouse-doctor'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the page is not a secure context
  document.cookie = `${name}=1; Path=/; Max-Age=10; SameSite=Lax`
  const isStored = cookie(name) === '1'
  // biome-ignore lint/suspicious/noDocumentCookie: as above
  document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
  return isStored
}

/** Whether the connection is encrypted. */
export function evaluateTls({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): CheckResult {
  if (protocol === 'https:') return { check: 'tls', health: 'good', outcome: 'tls_good' }
  if (addressKind(hostname) === 'own') return { check: 'tls', health: 'good', outcome: 'tls_here' }
  return { check: 'tls', health: 'warning', outcome: 'tls_missing', proxyConfig: 'tls' }
}

/** Whether the API answers, by the first reply. */
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

/** Whether the browser keeps cookies, and the server accepts the session's cookie. */
function evaluateCookies(keepsCookies: boolean, session: 'signedIn' | 'over' | 'nobody'): CheckResult {
  if (!keepsCookies) return { check: 'cookies', health: 'bad', outcome: 'cookies_off' }
  if (session === 'over') return { check: 'cookies', health: 'warning', outcome: 'cookies_over' }
  return { check: 'cookies', health: 'good', outcome: session === 'signedIn' ? 'cookies_session' : 'cookies_good' }
}

/**
 * Whether the server accepts the CSRF cookie and header.
 * @param reply of a renewal of the session by POST; `undefined` if nobody is signed in
 */
export function evaluateCsrf(reply: Reply | undefined): CheckResult {
  if (!reply) return { check: 'csrf', health: 'skipped', outcome: 'signed_out' }
  if (isGood(reply)) return { check: 'csrf', health: 'good', outcome: 'csrf_good' }
  // Servers without CSRF protection renew by GET, and do not know this call.
  if (reply.status === 404) return { check: 'csrf', health: 'skipped', outcome: 'csrf_none' }
  return { check: 'csrf', health: 'bad', outcome: 'csrf_refused', proxyConfig: 'proxy' }
}

/** Milliseconds: tokens live for an hour and times on screen have minutes, so half a minute does no harm. */
const clockTolerance = 30_000

/** @param now ms since 1970 by the browser's clock */
export function evaluateClock({ clock }: Reply, now = Date.now()): CheckResult {
  if (!clock) return { check: 'clock', health: 'skipped', outcome: 'clock_unknown' }
  const difference = now - clock.at
  const seconds = Math.round(Math.abs(difference) / 1000)
  if (Math.abs(difference) <= clockTolerance + clock.within) {
    return { check: 'clock', health: 'good', outcome: 'clock_good', values: { seconds } }
  }
  const outcome = difference > 0 ? 'clock_ahead' : 'clock_behind'
  return { check: 'clock', health: 'warning', outcome, values: { seconds } }
}

/**
 * Whether the server sees the addresses of its visitors.
 * @param address this browser's address as the server sees it; `undefined` if it does not know it
 */
export function evaluateAddress(isSignedIn: boolean, address: string | undefined, pageHost: string): CheckResult {
  if (!isSignedIn) return { check: 'address', health: 'skipped', outcome: 'signed_out' }
  if (!address) return { check: 'address', health: 'warning', outcome: 'address_none', proxyConfig: 'address' }
  const isInner = addressKind(address) !== 'public' && addressKind(pageHost) === 'public'
  const privateAddress = { values: { address }, isPrivate: true } as const
  return isInner
    ? { check: 'address', health: 'warning', outcome: 'address_inner', proxyConfig: 'address', ...privateAddress }
    : { check: 'address', health: 'good', outcome: 'address_good', ...privateAddress }
}

/** What shows the version of a server. */
interface VersionHints {
  /** `data` of `GET /setting`; `undefined` if that failed. */
  setting?: {
    wheelhouse?: Values
    /** Sent to administrators only. */
    version?: string
    tsdb_enabled?: boolean
    config?: { enable_mcp?: boolean }
  }
  /** Whether it has set the CSRF cookie. */
  hasCsrf: boolean
  /** HTTP status of lists that only newer versions have; `undefined` if not requested. */
  tokens?: number
  transfers?: number
}

/** The server's version, by its features, and which of the console's features are therefore hidden. */
export function evaluateVersion({ setting, hasCsrf, tokens, transfers }: VersionHints): CheckResult {
  if (!setting) return { check: 'age', health: 'skipped', outcome: 'not_reached' }
  const own = setting.wheelhouse
  const hidden: HiddenFeature[] = own ? [] : ['sessions', 'sign_out', 'audit', 'address_preview']
  if (tokens === 404) hidden.unshift('tokens')
  if (transfers === 404) hidden.unshift('transfers')
  const version = String(own?.version ?? setting.version ?? '')
  const foreign = hasCsrf ? 'age_newer' : setting.tsdb_enabled === undefined ? 'age_older' : 'age_middle'
  return { check: 'age', health: 'good', outcome: own ? 'age_embedded' : foreign, values: { version }, hidden }
}

/**
 * Whether programs can use the Model Context Protocol (docs/contract/MCP.md#2-order-of-the-checks). Nezha servers say
 * so to administrators only.
 * @param url where it is
 */
export function evaluateMcp(setting: VersionHints['setting'], isSignedIn: boolean, url: string): CheckResult {
  const skipped = (outcome: CheckResult['outcome']): CheckResult => ({ check: 'mcp', health: 'skipped', outcome })
  if (!setting) return skipped('not_reached')
  if (!isSignedIn) return skipped('signed_out')
  const { wheelhouse: own, config, tsdb_enabled, version } = setting
  const isThere = own ? own.mcp !== undefined : tsdb_enabled !== undefined
  if (!isThere) return skipped('mcp_none')
  if (!own && version === undefined) return skipped('mcp_unknown')
  const isOn = own ? own.mcp === true : config?.enable_mcp === true
  return { check: 'mcp', health: 'good', outcome: isOn ? 'mcp_on' : 'mcp_off', values: { url }, isPrivate: true }
}

/** Whether an address or host name is this machine's, of a private network, or public. */
export function addressKind(host: string): 'own' | 'private' | 'public' {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  const v4 = bare.replace(/^::ffff:/, '')
  if (/^(localhost|.+\.localhost|::1)$/.test(bare) || /^127\./.test(v4)) return 'own'
  if (/^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(v4))
    return 'private'
  if (/^(f[cd]|fe[89ab])[0-9a-f]*:/.test(bare)) return 'private'
  return 'public'
}

/** Milliseconds to wait; live metrics come every 2 s. */
const timeout = 7_000

/** Opens the WebSocket of the live metrics and waits for the second frame. Never rejects. */
export function checkSocket(isSignedIn: boolean, Socket: typeof WebSocket = WebSocket): Promise<CheckResult> {
  return new Promise((resolve) => {
    const opened = performance.now()
    let [wasOpen, frames, first] = [false, 0, 0]
    let timer: ReturnType<typeof setTimeout> | undefined
    const { protocol, host } = window.location
    const socket = new Socket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/v1/ws/server`)
    const finish = (result: Omit<CheckResult, 'check'>) => {
      clearTimeout(timer)
      socket.onopen = socket.onmessage = socket.onclose = null
      socket.close()
      resolve({ check: 'socket', ...result })
    }
    const giveUp = () => {
      if (frames > 0) return finish({ health: 'bad', outcome: 'socket_stopped', proxyConfig: 'sockets' })
      if (wasOpen) return finish({ health: 'bad', outcome: 'socket_silent', proxyConfig: 'sockets' })
      const outcome = isSignedIn ? 'socket_refused' : 'socket_refused_anonymous'
      finish({ health: isSignedIn ? 'bad' : 'warning', outcome, proxyConfig: 'sockets' })
    }
    timer = setTimeout(giveUp, timeout)
    socket.onopen = () => {
      wasOpen = true
    }
    socket.onmessage = () => {
      frames += 1
      if (frames === 1) first = performance.now()
      if (frames < 2) return
      const seconds = Math.round((performance.now() - first) / 100) / 10
      finish({ health: 'good', outcome: 'socket_good', values: { seconds, open: Math.round(first - opened) } })
    }
    socket.onclose = giveUp
  })
}

/** A reply of the server, or of a proxy in front of it. */
export interface Reply {
  /** 0 without a reply. */
  status: number
  /** The API's envelope, if the reply is one. */
  body?: { success?: boolean; error?: string; data?: unknown }
  /** The server's time, ms since 1970, and its possible error. */
  clock?: { at: number; within: number }
}

const requestMs = 10_000

/**
 * Sends a request without the console's API client. Never rejects.
 * @param isAnonymous sends no cookies: an ended session sent to a public route counts as an attack
 */
async function sendRequest(method: 'GET' | 'POST', path: string, isAnonymous = false): Promise<Reply> {
  const csrfToken = cookie(cookies.csrf)
  const sentAt = Date.now()
  try {
    const response = await fetch(`/api/v1/${path}`, {
      method,
      headers: { Accept: 'application/json', ...(method !== 'GET' && csrfToken && { [csrfHeader]: csrfToken }) },
      credentials: isAnonymous ? 'omit' : 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(requestMs),
    })
    const receivedAt = Date.now()
    const date = Date.parse(response.headers.get('date') ?? '')
    return {
      status: response.status,
      body: readEnvelope(await response.text()),
      // The header has whole seconds, and was written some time between request and reply.
      clock: Number.isNaN(date)
        ? undefined
        : { at: date + 500 + (Date.now() - (sentAt + receivedAt) / 2), within: 500 + (receivedAt - sentAt) / 2 },
    }
  } catch {
    return { status: 0 }
  }
}

function readEnvelope(text: string): Reply['body'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const isGood = ({ body }: Reply): boolean => body?.success === true
