import { HttpError } from 'ra-core'
import { keepSessionFresh } from './refreshSession.ts'
import { type BodyOf, type Endpoint, endpoints, type Method, type ReplyOf } from './schemas/endpoints.ts'
import type { Envelope } from './schemas/envelope.ts'
import { cookies, csrfFailure, csrfHeader, errorPrefix } from './schemas/wireNames.ts'
import { clearCookies, cookie } from './session.ts'

const apiRoot = '/api/v1'

interface RequestOptions {
  body?: unknown
  signal?: AbortSignal
}

/**
 * The only fetch of the console. Opens the envelope and gives its `data` (`undefined` when the server left it out).
 *
 * @param path below `/api/v1/`, with its query
 * @throws HttpError with the server's own words. Its status is 401 for `ApiErrorUnauthorized` and 403 for
 * `ApiErrorForbidden` whatever the HTTP status was, and 0 when no reply came. The cookies are gone by the
 * time a 401 is thrown.
 */
export async function request(method: Method, path: string, options: RequestOptions = {}): Promise<unknown> {
  try {
    const data = await send(method, path, options)
    keepSessionFresh(() => call(endpoints.refreshToken))
    return data
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    if (error.message === csrfFailure) {
      await send('GET', 'profile')
      return send(method, path, options)
    }
    if (error.status === 401) clearCookies()
    throw error
  }
}

const verbs = new Map<Endpoint, Method>()

/**
 * Calls an endpoint: parses the input, fills the path from it, types the reply. An endpoint whose verb
 * changed over the years is tried once in the other verb on a 404; what worked is remembered.
 */
export async function call<E extends Endpoint>(endpoint: E, input?: BodyOf<E>): Promise<ReplyOf<E>> {
  const body = endpoint.body ? endpoint.body.parse(input) : undefined
  const path = endpoint.path.replace(/:(\w+)/g, (_, key) =>
    encodeURIComponent(String((body as Record<string, unknown>)[key])),
  )
  const guess = endpoint.older && !cookie(cookies.csrf) ? endpoint.older : endpoint.method
  const verb = verbs.get(endpoint) ?? guess
  // Browsers refuse a GET with a body.
  const ask = (method: Method) => request(method, path, { body: method === 'GET' ? undefined : body })
  const data = await ask(verb).catch((error) => {
    if (!endpoint.older || verbs.has(endpoint) || !(error instanceof HttpError) || error.status !== 404) throw error
    const other = verb === endpoint.method ? endpoint.older : endpoint.method
    return ask(other).then((reply) => {
      verbs.set(endpoint, other)
      return reply
    })
  })
  return (endpoint.reply ? endpoint.reply.parse(data) : data) as ReplyOf<E>
}

/**
 * Whether a socket may knock again after it was lost: an ended session must not (CONTRACT section 3).
 * Rejects when that cannot be told.
 */
export async function mayReconnect(): Promise<boolean> {
  try {
    await call(endpoints.profile)
    return true
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) return false
    throw error
  }
}

async function send(method: Method, path: string, { body, signal }: RequestOptions = {}): Promise<unknown> {
  const headers = new Headers({ Accept: 'application/json' })
  const csrf = cookie(cookies.csrf)
  if (csrf && method !== 'GET') headers.set(csrfHeader, csrf)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const response = await fetch(`${apiRoot}/${path}`, {
    method,
    headers,
    credentials: 'same-origin',
    signal,
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((cause) => {
    throw Object.assign(new HttpError('app.error.unreachable', 0), { cause })
  })
  const reply = await readEnvelope(response)
  if (response.ok && reply.success === true) return reply.data
  const text = reply.error ?? ''
  throw new HttpError(text, statusOf(text, response.status), reply)
}

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
