import { vi } from 'vitest'
import type { TestServer } from '../server/testServer.ts'

// jsdom replaces Uint8Array, and Node's Buffer is not an instance of the new one: the server, which runs in the same
// process here, would not recognize its own keys.
globalThis.Uint8Array = Object.getPrototypeOf(Buffer)

/**
 * Lets the page of a UI test talk to a server, as a browser does: `fetch` leads there, and cookies stand in
 * `document.cookie`. Gives the paths that were asked, in order. `vi.unstubAllGlobals()` ends it.
 */
export function servePage({ app }: TestServer): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    asked.push(`${method} ${path}`)
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { host: location.host, cookie: document.cookie, ...Object.fromEntries(new Headers(headers)) },
      payload: body as string | undefined,
    })
    for (const cookie of [response.headers['set-cookie'] ?? []].flat()) {
      // biome-ignore lint/suspicious/noDocumentCookie: this is how a test's page receives what the server sets
      document.cookie = cookie
    }
    return new Response(response.body, {
      status: response.statusCode,
      statusText: response.statusMessage,
      headers: Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
    })
  })
  return asked
}

/** Empties what a page leaves in its browser: cookies and the store. */
export function emptyBrowser(): void {
  for (const pair of document.cookie.split('; ')) {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API
    document.cookie = `${pair.split('=')[0]}=; Path=/; Max-Age=0`
  }
  localStorage.clear()
}

/** A system that prefers the light theme and wide windows; jsdom has none. */
export function stubMatchMedia(matches: (query: string) => boolean = () => false): void {
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: matches(media), addListener() {}, removeListener() {} }),
  )
}
