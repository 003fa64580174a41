import { HttpError } from 'ra-core'
import type { Endpoint, InputOf, Method, ReplyOf } from '../schemas/define/endpoint.ts'
import type { Envelope } from '../schemas/define/envelope.ts'
import { cookies, csrfFailure, csrfHeader, errorPrefix } from '../schemas/define/wireNames.ts'
import { endpoints } from '../schemas/endpoints/index.ts'
import { renewAfterCall } from '../session/renewal.ts'
import { endSession, sessionOpen } from '../session/sessionGate.ts'
import { cookie, sessionToken } from '../session/token.ts'
import { markAway, markReached } from './connectivity.ts'

const apiRoot = '/api/v1'

interface RequestOptions {
  body?: unknown
  /** How long to wait for the reply, in ms; as long as it takes when left out. */
  patience?: number
}

/**
 * The only fetch of the console. Opens the envelope and gives its `data` (`undefined` when the server left it out).
 *
 * @param path below `/api/v1/`, with its query
 * @throws HttpError with the server's own words. Its status is 401 for `ApiErrorUnauthorized` and 403 for
 * `ApiErrorForbidden` whatever the HTTP status was, and 0 when no reply came. A session that has ended is no error
 * yet: the call waits until somebody has signed in again and is then repeated, once; the cookies are gone before any
 * other call leaves. A 401 is thrown when the repetition is refused as well.
 */
export async function request(method: Method, path: string, options: RequestOptions = {}): Promise<unknown> {
  await sessionOpen()
  const token = sessionToken()
  try {
    return await sendWithCsrf(method, path, options)
  } catch (error) {
    if (!isUnauthorized(error)) throw error
    // A call that was on its way while another tab signed in was refused for a token that nobody holds any more.
    const isReplaced = sessionToken() !== undefined && sessionToken() !== token
    if (!isReplaced) await endSession()
  }
  try {
    return await sendWithCsrf(method, path, options)
  } catch (error) {
    if (isUnauthorized(error)) void endSession()
    throw error
  }
}

const isUnauthorized = (error: unknown) => error instanceof HttpError && error.status === 401

/** Renews the token; its cookies come with the reply. */
export const renewSession = () => call(endpoints.refreshToken)

/** How long a sign-out waits for the server, in ms. */
const partingPatience = 3000

/**
 * Ends the session at the server, for servers that say `wheelhouse.sessions`. Whoever leaves is not asked to sign in
 * first, and not kept by a server that is away: never rejects.
 */
export async function endOwnSession(): Promise<void> {
  const { method, path } = endpoints.logout
  // Ended or not, this browser forgets the session in a moment; without a reply the server does so within the hour.
  await sendWithCsrf(method, path, { patience: partingPatience }).catch(() => {})
}

/** A CSRF cookie that was lost or is not the server's comes back with any GET; then the call is repeated. */
async function sendWithCsrf(method: Method, path: string, options: RequestOptions): Promise<unknown> {
  const data = await send(method, path, options).catch(async (error) => {
    if (!(error instanceof HttpError) || error.message !== csrfFailure) throw error
    await send('GET', 'profile')
    return send(method, path, options)
  })
  renewAfterCall(renewSession)
  return data
}

const verbs = new Map<Endpoint, Method>()

/**
 * Calls an endpoint: fills path and query from the input, parses the body, types the reply. An endpoint whose verb
 * changed over the years is tried once in the other verb on a 404; what worked is remembered, until the server is
 * replaced by one of another age.
 */
export async function call<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<ReplyOf<E>> {
  const body = endpoint.body?.parse(input)
  const path = pathOf(endpoint, input)
  const guess = endpoint.older && !cookie(cookies.csrf) ? endpoint.older : endpoint.method
  const verb = verbs.get(endpoint) ?? guess
  // Browsers refuse a GET with a body.
  const ask = (method: Method) => request(method, path, { body: method === 'GET' ? undefined : body })
  const data = await ask(verb).catch((error) => {
    if (!endpoint.older || !(error instanceof HttpError) || error.status !== 404) throw error
    const other = verb === endpoint.method ? endpoint.older : endpoint.method
    return ask(other).then((reply) => {
      verbs.set(endpoint, other)
      return reply
    })
  })
  return (endpoint.reply ? endpoint.reply.parse(data) : data) as ReplyOf<E>
}

function pathOf({ path, params, query }: Endpoint, input: unknown): string {
  const parts = params?.parse(input) as Record<string, number | string>
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(parts[name] as number | string))
  const values = query?.parse(input) as Record<string, string> | undefined
  return values ? `${filled}?${new URLSearchParams(values)}` : filled
}

/** Asks for a sign of life on a protected route, where an ended session does no harm. Rejects when none comes. */
export const probe = () => request('GET', endpoints.profile.path, { patience: 10_000 })

/**
 * Whether a socket may knock again after it was lost: an ended session must not
 * (docs/contract/CONTRACT.md#3-session-csrf-login-address-blocking). Rejects when that cannot be told.
 */
export async function mayReconnect(): Promise<boolean> {
  try {
    await probe()
    return true
  } catch (error) {
    if (isUnauthorized(error)) return false
    throw error
  }
}

async function send(method: Method, path: string, { body, patience }: RequestOptions = {}): Promise<unknown> {
  const headers = new Headers({ Accept: 'application/json' })
  const csrf = cookie(cookies.csrf)
  if (csrf && method !== 'GET') headers.set(csrfHeader, csrf)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const { status, isOk, reply } = await exchange(`${apiRoot}/${path}`, {
    method,
    headers,
    credentials: 'same-origin',
    signal: patience === undefined ? undefined : AbortSignal.timeout(patience),
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (isOk && reply.success === true) return reply.data
  const text = reply.error ?? ''
  throw new HttpError(text, statusOf(text, status), reply)
}

/** One request and its whole reply; notes whether the server is there. */
async function exchange(address: string, init: RequestInit) {
  try {
    const response = await fetch(address, init)
    const reply = await readEnvelope(response)
    if (isFromProxy(response.status)) markAway()
    else markReached()
    return { status: response.status, isOk: response.ok, reply }
  } catch (cause) {
    markAway()
    throw Object.assign(new HttpError('app.error.unreachable', 0), { cause })
  }
}

/** Bad gateway, unavailable, timed out: a proxy is there, the server behind it is not. The server itself says none. */
const isFromProxy = (status: number) => status >= 502 && status <= 504

/** A reply that is no JSON comes from a block page or a proxy: its status is all that can be said. */
async function readEnvelope(response: Response): Promise<Envelope> {
  const text = await response.text()
  try {
    const value: unknown = JSON.parse(text)
    if (value && typeof value === 'object') return value as Envelope
  } catch {
    // Falls through: what follows tells the person more than a parser's message.
  }
  return { error: `${response.status} ${response.statusText}`.trim() }
}

function statusOf(error: string, status: number): number {
  if (error.startsWith(errorPrefix.unauthorized)) return 401
  if (error.startsWith(errorPrefix.forbidden)) return 403
  return status
}
