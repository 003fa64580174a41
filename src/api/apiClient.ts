import { HttpError } from 'ra-core'
import type { z } from 'zod'
import { untilAborted } from '../events/untilAborted.ts'
import type { Endpoint, InputOf, Method, ReplyOf } from '../schemas/define/endpoint.ts'
import type { Envelope } from '../schemas/define/envelope.ts'
import {
  blockedFailure,
  bodyRefusedBy,
  cookies,
  csrfFailure,
  csrfHeader,
  errorPrefix,
  pageSentBy,
  requestIdHeader,
  requestIdMs,
} from '../schemas/define/wireNames.ts'
import { endpoints } from '../schemas/endpoints/index.ts'
import { fetchReply, takeEarlyReply } from '../session/earlyReplies.ts'
import { renewAfterCall } from '../session/renewal.ts'
import { endSession, waitForSession } from '../session/sessionGate.ts'
import { requestStepUp } from '../session/stepUp.ts'
import type { StepUp } from '../session/tabMessages.ts'
import { cookie, sessionToken } from '../session/token.ts'
import { markReachable, markUnreachable } from './connectivity.ts'

/**
 * The error of a reply that calls itself good and in which nothing is found. Its status is that of a gateway which gets such
 * a reply, and no refusal: what was asked for may have been done.
 */
export const unreadableReply = () => new HttpError('app.error.unreadable', 502)

export interface RequestOptions {
  body?: unknown
  /** Bytes that are sent as they are, in place of a body. */
  content?: Blob
  /** How long to wait for the reply, in ms; without it, as long as it takes. */
  timeoutMs?: number
  /**
   * Whether it makes a record: sent again before it has an answer, it is the same call, and makes no second one. A text
   * says what is ordered where the body is another one each time: that of the first call is sent again.
   */
  makesRecord?: boolean | string
  /** The path of the records that it changes, where it is not its own; see `Endpoint.changes`. */
  changes?: string
  /**
   * Of somebody who stops waiting: nothing is sent any more once it is aborted. The call rejects at once, with the reason
   * of the signal if it has changed nothing; one that was sent may still arrive, and rejects with an `HttpError`.
   */
  signal?: AbortSignal
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
  try {
    return await requestInSession(method, path, options)
  } catch (error) {
    const kind = neededStepUp(error)
    if (!kind) throw error
    // A refused call had no effect: it is sent again, once, when the person has done what was asked.
    if (!(await untilAborted(requestStepUp(kind), options.signal)))
      throw Object.assign(new HttpError('app.step_up.cancelled', 403), { cause: error })
  }
  return requestInSession(method, path, options)
}

/** What the person has to do before the embedded server accepts this call. */
function neededStepUp(error: unknown): StepUp | undefined {
  const { message } = error as Error
  if (message.startsWith(errorPrefix.reauthentication)) return 'reauthenticate'
  return message.startsWith(errorPrefix.setUpSecondFactor) ? 'setUpSecondFactor' : undefined
}

async function requestInSession(method: Method, path: string, options: RequestOptions): Promise<unknown> {
  await untilAborted(waitForSession(), options.signal)
  const token = sessionToken()
  try {
    return await sendWithCsrf(method, path, options)
  } catch (error) {
    if (!isUnauthorized(error)) throw error
    // Another tab may have signed in meanwhile: then the refusal was about the previous token.
    const isReplaced = sessionToken() !== undefined && sessionToken() !== token
    if (!isReplaced) await untilAborted(endSession(), options.signal)
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
const signOutTimeoutMs = 3000

/**
 * Ends the session at the server, for servers that announce `wheelhouse.sessions`. It neither asks for a sign-in nor
 * waits for a server that cannot be reached: it never rejects.
 */
export async function endOwnSession(): Promise<void> {
  const { method, path } = endpoints.logout
  // The browser drops the session in any case; without this call the server does so within the hour.
  await sendWithCsrf(method, path, { timeoutMs: signOutTimeoutMs }).catch(() => {})
}

/** A lost or wrong CSRF cookie is set again by any GET; then the call is repeated. */
async function sendWithCsrf(method: Method, path: string, options: RequestOptions): Promise<unknown> {
  const data = await send(method, path, options).catch(async (error) => {
    if (!(error instanceof HttpError) || error.message !== csrfFailure) throw error
    await send('GET', 'profile')
    return send(method, path, options)
  })
  renewAfterCall(renewSession)
  return data
}

const workingVerbs = new Map<Endpoint, Method>()

/**
 * Calls an endpoint: fills path and query from the input, parses the body, types the reply. An endpoint whose verb
 * changed over the years is tried once in the other verb on a 404; what worked is remembered, until the server is
 * replaced by another version.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input?: InputOf<E>,
  { signal }: Pick<RequestOptions, 'signal'> = {},
): Promise<ReplyOf<E>> {
  const body = endpoint.body?.parse(input)
  const path = pathOf(endpoint, input)
  const guess = endpoint.older && !cookie(cookies.csrf) ? endpoint.older : endpoint.method
  const verb = workingVerbs.get(endpoint) ?? guess
  // Browsers refuse a GET with a body.
  const requestBy = (method: Method) =>
    request(method, path, {
      body: method === 'GET' ? undefined : body,
      makesRecord: endpoint.makesRecord,
      changes: endpoint.changes,
      signal,
    })
  const data = await requestBy(verb).catch((error) => {
    if (!endpoint.older || !(error instanceof HttpError) || error.status !== 404) throw error
    const other = verb === endpoint.method ? endpoint.older : endpoint.method
    return requestBy(other).then((reply) => {
      workingVerbs.set(endpoint, other)
      return reply
    })
  })
  return (endpoint.reply ? parseReply(endpoint.reply, data) : data) as ReplyOf<E>
}

/** @throws HttpError when it does not fit: what is wrong in it is for the browser's console, not for the screen */
export function parseReply<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const { data: reply, error } = schema.safeParse(data)
  if (error) throw Object.assign(unreadableReply(), { cause: error })
  return reply as z.output<Schema>
}

/** Sends bytes to an endpoint that takes no JSON. @param input fills its path and query */
export async function sendBytes<E extends Endpoint>(endpoint: E, input: InputOf<E>, content: Blob): Promise<void> {
  await request(endpoint.method, pathOf(endpoint, input), { content })
}

function pathOf({ path, params, query }: Endpoint, input: unknown): string {
  const parts = params?.parse(input) as Record<string, number | string>
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(parts[name] as number | string))
  const values = query?.parse(input ?? {}) as Record<string, string> | undefined
  return values ? `${filled}?${new URLSearchParams(values)}` : filled
}

/** Checks that the server answers, on a protected route, where an ended session is not counted as an attack. */
export const probe = () => request('GET', endpoints.profile.path, { timeoutMs: 10_000 })

/**
 * Whether a lost socket may be opened again: with an ended session it must not
 * (docs/contract/CONTRACT.md#3-session-csrf-login-address-blocking). Rejects when that is not known.
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

async function send(method: Method, path: string, options: RequestOptions = {}): Promise<unknown> {
  const { body, content, timeoutMs, makesRecord, changes = path, signal } = options
  signal?.throwIfAborted()
  const headers = new Headers()
  const csrf = cookie(cookies.csrf)
  if (csrf && method !== 'GET') headers.set(csrfHeader, csrf)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const order = { id: newId(), text: body === undefined ? undefined : JSON.stringify(body), at: Date.now() }
  const { id, text } = makesRecord && method !== 'GET' ? keptOrder(path, order, makesRecord) : order
  if (method !== 'GET') headers.set(requestIdHeader, id)
  const {
    status,
    isOk,
    isFromServer,
    reply,
    headers: replied,
  } = await exchange(path, {
    method,
    headers,
    signal: timeoutMs === undefined ? signal : AbortSignal.timeout(timeoutMs),
    body: content ?? text,
  })
  if (method !== 'GET' && isFromServer) forgetUnanswered(changes)
  if (isOk && reply.success === true) return reply.data
  if (isOk && reply.success === undefined && reply.error === undefined) throw unreadableReply()
  const words = reply.error ?? ''
  if (words === blockedFailure) throw blockedError(replied, reply)
  throw new HttpError(words, statusOf(words, status), reply)
}

interface Order {
  id: string
  /** Its body. */
  text: string | undefined
  /** When it was sent first, in milliseconds since 1970. */
  at: number
}

/** Calls that make a record and have no answer, by what they order. */
const unanswered = new Map<string, Order>()
/** Of them are kept, the newest: what is sent may be long. */
const maxUnanswered = 16

/** A browser whose connection breaks off before the reply sends a call again by itself: the id says that it is the same. */
const newId = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** For a person who was told that the server cannot be reached, and sends the same again. */
function keptOrder(path: string, order: Order, what: string | true): Order {
  const ordered = `${path} ${what === true ? (order.text ?? '') : what}`
  const before = unanswered.get(ordered)
  const kept = before && order.at - before.at < requestIdMs ? before : order
  unanswered.delete(ordered)
  unanswered.set(ordered, kept)
  const [oldest = ordered] = unanswered.keys()
  if (unanswered.size > maxUnanswered) unanswered.delete(oldest)
  return kept
}

/** After another order to the same records, the same again is a new order: what was made may have been deleted. */
function forgetUnanswered(changes: string): void {
  const about = recordsOf(changes)
  for (const ordered of unanswered.keys()) if (recordsOf(ordered) === about) unanswered.delete(ordered)
}

/** What a path is about: that of a deletion of lists is about the same, `batch-delete/wheelhouse/rotas` as `wheelhouse/rotas`. */
const recordsOf = (path: string): string | undefined =>
  path.split(/[/? ]/).find((part) => part !== 'batch-delete' && part !== 'wheelhouse')

/** Too soon after a wrong password or code; `messageArgs` are those of the text. */
function blockedError(headers: Headers, reply: Envelope): HttpError {
  const seconds = Number(headers.get('retry-after'))
  if (!seconds) return new HttpError('app.error.blocked', 403, reply)
  const time = new Date(Date.now() + seconds * 1000).toLocaleString(document.documentElement.lang || undefined, {
    dateStyle: 'medium',
    timeStyle: 'medium',
  })
  return new HttpError('app.error.blocked_until', 403, { ...reply, messageArgs: { time } })
}

/** One request and its whole reply; reports whether the server could be reached. */
async function exchange(path: string, init: RequestInit & { method: Method }) {
  try {
    const early = init.method === 'GET' ? takeEarlyReply(path) : undefined
    const { response, text } = await (early ?? fetchReply(path, init))
    const envelope = readEnvelope(text)
    const { status, headers, ok: isOk } = response
    if (isFromProxy(status)) markUnreachable()
    else markReachable()
    const isFromServer = envelope !== undefined && !isFromProxy(status)
    return { status, headers, isOk, isFromServer, reply: envelope ?? pageReply(response, text) }
  } catch (cause) {
    // Somebody has stopped waiting, which says nothing of the server.
    if ((init.signal?.reason as Error | undefined)?.name === 'AbortError') {
      throw init.method === 'GET' ? cause : Object.assign(new HttpError('app.toast.unanswered', 0), { cause })
    }
    markUnreachable()
    throw Object.assign(new HttpError('app.error.unreachable', 0), { cause })
  }
}

/** 502, 503 and 504 come from a proxy that cannot reach the server; the server itself never sends them. */
const isFromProxy = (status: number) => status >= 502 && status <= 504

function readEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (value && typeof value === 'object') return value as Envelope
  } catch {
    // The status says more than the parser's message.
  }
  return undefined
}

/**
 * A reply that is not JSON comes from a block page or a proxy: only its status can be reported, and what mends it. One
 * that calls itself good and is no page was cut off, or changed on its way.
 */
function pageReply({ ok: isOk, status, statusText }: Response, text: string): Envelope {
  if (status === 413) return { error: bodyRefusedBy(location.origin) }
  if (!isOk) return { error: `${status} ${statusText}`.trim() }
  return text.trimStart().startsWith('<') ? { error: pageSentBy(location.origin, status) } : {}
}

function statusOf(error: string, status: number): number {
  if (error.startsWith(errorPrefix.unauthorized)) return 401
  if (error.startsWith(errorPrefix.forbidden)) return 403
  return status
}
