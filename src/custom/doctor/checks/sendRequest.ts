import { cookies, csrfHeader } from '../../../schemas/define/wireNames.ts'
import { cookie } from '../../../session/token.ts'

/** A reply of the server, or of a proxy in front of it. */
export interface Reply {
  /** 0 without a reply. */
  status: number
  /** The API's envelope, if the reply is one. */
  body?: { success?: boolean; error?: string; data?: unknown }
  /** The server's time, ms since 1970, and its possible error. */
  clock?: { at: number; within: number }
}

const timeout = 10_000

/**
 * Sends a request without the console's API client. Never rejects.
 * @param isAnonymous sends no cookies: an ended session sent to a public route counts as an attack
 */
export async function sendRequest(method: 'GET' | 'POST', path: string, isAnonymous = false): Promise<Reply> {
  const csrfToken = cookie(cookies.csrf)
  const sentAt = Date.now()
  try {
    const response = await fetch(`/api/v1/${path}`, {
      method,
      headers: { Accept: 'application/json', ...(method !== 'GET' && csrfToken && { [csrfHeader]: csrfToken }) },
      credentials: isAnonymous ? 'omit' : 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeout),
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

export const isGood = ({ body }: Reply): boolean => body?.success === true
