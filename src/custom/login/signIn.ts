import { holdsSession } from './session.ts'

/** How a sign-in ended: well, in a way that the form has words for, or with the server's own words. */
export type Outcome =
  | { kind: 'good' }
  | { kind: 'wrong' | 'blocked' | 'unreachable' | 'noCookie' }
  | { kind: 'said'; words: string }

/** Asks the server to open a session; its cookies come with the reply. Never rejects. */
export async function signIn(username: string, password: string): Promise<Outcome> {
  let reply: Response
  let text: string
  try {
    reply = await fetch('/api/v1/login', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ username, password }),
    })
    text = await reply.text()
  } catch {
    return { kind: 'unreachable' }
  }
  return judge(reply, text)
}

function judge(reply: Response, text: string): Outcome {
  const body = parse(text)
  // A blocked address gets a page, not the API's envelope; other pages come from a proxy on the way.
  if (!body) {
    return reply.status === 403
      ? { kind: 'blocked' }
      : { kind: 'said', words: `${reply.status} ${reply.statusText}`.trim() }
  }
  if (reply.ok && body.success === true) return holdsSession() ? { kind: 'good' } : { kind: 'noCookie' }
  if (typeof body.error !== 'string' || body.error === '') return { kind: 'said', words: `${reply.status}` }
  return body.error.startsWith('ApiErrorUnauthorized') ? { kind: 'wrong' } : { kind: 'said', words: body.error }
}

function parse(text: string): { success?: unknown; error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
