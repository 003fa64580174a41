import { fieldsIn, isObject } from '../../schemas/define/values.ts'
import { blockedFailure, errorPrefix } from '../../schemas/define/wireNames.ts'
import { earlyReply, fetchReply, type ReadReply } from '../../session/earlyReplies.ts'

/** The result of a request: data, or the reason of the failure. */
export type RequestResult =
  | { kind: 'ok'; data: unknown }
  | { kind: 'unauthorized' }
  | Blocked
  | { kind: 'unreachable' }
  /** `data`: what came beside the error. */
  | { kind: 'serverMessage'; message: string; data?: unknown }

/** `until`: ms since 1970 by the browser's clock, if the server says how long. `reason`: of the embedded server. */
export interface Blocked {
  kind: 'blocked'
  until?: number
  reason?: unknown
}

/** Sends a request before the console and its API client are loaded. Never rejects. */
export async function sendRequest(path: string, init: RequestInit = {}): Promise<RequestResult> {
  try {
    const isRead = init.method === undefined
    return readResult(await ((isRead && earlyReply(path)) || fetchReply(path, init)))
  } catch {
    return { kind: 'unreachable' }
  }
}

function readResult({ response: reply, text }: ReadReply): RequestResult {
  const body = parse(text)
  // Most servers send blocked addresses a page instead of the API's envelope; other pages come from proxies.
  if (!body) {
    return reply.status === 403
      ? blocked(reply)
      : { kind: 'serverMessage', message: `${reply.status} ${reply.statusText}`.trim() }
  }
  if (reply.ok && body.success === true) return { kind: 'ok', data: body.data }
  if (body.error === blockedFailure) return { ...blocked(reply), reason: fieldsIn(body.data).reason }
  if (typeof body.error !== 'string' || body.error === '') return { kind: 'serverMessage', message: `${reply.status}` }
  return body.error.startsWith(errorPrefix.unauthorized)
    ? { kind: 'unauthorized' }
    : { kind: 'serverMessage', message: body.error, data: body.data }
}

function blocked({ headers }: Response): Blocked {
  const seconds = Number(headers.get('retry-after'))
  return { kind: 'blocked', ...(seconds > 0 && { until: Date.now() + seconds * 1000 }) }
}

function parse(text: string): { success?: unknown; error?: unknown; data?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
