import { onTestFinished, vi } from 'vitest'

/** A request as the fake server got it. */
export interface SentCall {
  /** `GET server-group`, without `/api/v1/`. */
  call: string
  headers: Headers
  body: unknown
}

/** What a route answers: a success with these data or, as a `Response`, anything at all. */
type Answer = unknown

/**
 * Answers the page's calls from a table, where a test needs a server that the embedded one is not: older, broken or
 * odd. A call without a route gets the JSON 404 of the contract.
 */
export function fakeServer(routes: Record<string, (requests: SentCall) => Answer>): SentCall[] {
  const requests: SentCall[] = []
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    const call = `${method} ${path.replace('/api/v1/', '')}`
    const request = { call, headers: new Headers(headers), body: body ? JSON.parse(String(body)) : undefined }
    requests.push(request)
    const route = routes[call]
    if (!route) return failure('404 Not Found', 404)
    const answer = await route(request)
    return answer instanceof Response ? answer : Response.json({ success: true, data: answer })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return requests
}

/** A failure as the contract has it: most travel with HTTP 200. */
export const failure = (error: string, status = 200) => Response.json({ error }, { status })

export const calls = (requests: readonly SentCall[]) => requests.map(({ call }) => call)

/** Sets a cookie of the page. */
export function setCookie(name: string, value: string) {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API
  document.cookie = `${name}=${value}; path=/`
}
