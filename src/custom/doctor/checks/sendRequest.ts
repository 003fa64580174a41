import { cookies, csrfHeader } from '../../../schemas/define/wireNames.ts'
import { cookie } from '../../../session/token.ts'

/** One reply of the server, or of whatever stands in its place. */
export interface Reply {
  /** 0 when none came. */
  status: number
  /** The envelope, when the reply is one. */
  body?: { success?: boolean; error?: string; data?: unknown }
  /** What the server's clock said, ms since 1970, and how far off that may be. */
  clock?: { at: number; within: number }
}

const patience = 10_000

/**
 * Asks the server without anything of the console in between. Never rejects.
 * @param isAnonymous leaves the session's cookies at home: a session that is over counts as an attack on public routes
 */
export async function sendRequest(method: 'GET' | 'POST', path: string, isAnonymous = false): Promise<Reply> {
  const csrfToken = cookie(cookies.csrf)
  const asked = Date.now()
  try {
    const response = await fetch(`/api/v1/${path}`, {
      method,
      headers: { Accept: 'application/json', ...(method !== 'GET' && csrfToken && { [csrfHeader]: csrfToken }) },
      credentials: isAnonymous ? 'omit' : 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(patience),
    })
    const answered = Date.now()
    const date = Date.parse(response.headers.get('date') ?? '')
    return {
      status: response.status,
      body: readEnvelope(await response.text()),
      // The header counts whole seconds, and was written somewhere between question and answer.
      clock: Number.isNaN(date)
        ? undefined
        : { at: date + 500 + (Date.now() - (asked + answered) / 2), within: 500 + (answered - asked) / 2 },
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
