import { blockedFailure, errorPrefix } from '../../schemas/define/wireNames.ts'

/** What came back: data, or why not, in a way that the form has words for or with the server's own words. */
export type RequestResult =
  | { kind: 'good'; data: unknown }
  | { kind: 'unauthorized' }
  /** `until`, ms since 1970 by this browser's clock, when the server says how long. */
  | { kind: 'blocked'; until?: number }
  | { kind: 'unreachable' }
  | { kind: 'said'; words: string }

/** Sends one request to the server, before the console and its own client are there. Never rejects. */
export async function sendRequest(path: string, init: RequestInit = {}): Promise<RequestResult> {
  try {
    const headers = { Accept: 'application/json', ...init.headers }
    const reply = await fetch(`/api/v1/${path}`, { credentials: 'same-origin', ...init, headers })
    return readResult(reply, await reply.text())
  } catch {
    return { kind: 'unreachable' }
  }
}

function readResult(reply: Response, text: string): RequestResult {
  const body = parse(text)
  // Most servers send a blocked address a page, not the API's envelope; other pages come from a proxy on the way.
  if (!body) {
    return reply.status === 403 ? blocked(reply) : { kind: 'said', words: `${reply.status} ${reply.statusText}`.trim() }
  }
  if (reply.ok && body.success === true) return { kind: 'good', data: body.data }
  if (body.error === blockedFailure) return blocked(reply)
  if (typeof body.error !== 'string' || body.error === '') return { kind: 'said', words: `${reply.status}` }
  return body.error.startsWith(errorPrefix.unauthorized)
    ? { kind: 'unauthorized' }
    : { kind: 'said', words: body.error }
}

function blocked({ headers }: Response): RequestResult {
  const seconds = Number(headers.get('retry-after'))
  return { kind: 'blocked', ...(seconds > 0 && { until: Date.now() + seconds * 1000 }) }
}

function parse(text: string): { success?: unknown; error?: unknown; data?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
