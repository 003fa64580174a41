import type { FastifyInstance, InjectOptions } from 'fastify'
import { untilAborted } from '../../../src/events/untilAborted.ts'

/** A request as it left the page. */
export interface SentRequest {
  method: string
  /** Below `/api/v1/`, with its query. */
  path: string
  body: unknown
}

/** The network between the page of a test and a server in the same process. */
export interface PageNetwork {
  fetch: typeof fetch
  /** Everything sent so far, oldest first. */
  sent: SentRequest[]
  /** While it is true, nothing gets through. */
  isDown: boolean
  /** While it is true, requests that are no GET arrive, and their replies are lost. */
  losesReplies: boolean
}

/** Carries the page's requests to a server as a browser does: with the page's cookies, and keeping those it gets. */
export function connectPage(app: FastifyInstance): PageNetwork {
  const network: PageNetwork = {
    sent: [],
    isDown: false,
    losesReplies: false,
    fetch: async (input, { method = 'GET', body, headers, signal } = {}) => {
      const { pathname, search } = new URL(String(input), window.location.href)
      network.sent.push({
        method,
        path: pathname.replace('/api/v1/', '') + search,
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
      })
      if (network.isDown) throw new TypeError('fetch failed')
      const reply = app.inject({
        method: method as InjectOptions['method'],
        url: pathname + search,
        headers: {
          ...Object.fromEntries(new Headers(headers)),
          host: window.location.host,
          cookie: document.cookie,
          ...(method !== 'GET' && { origin: window.location.origin }),
        },
        payload: body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : (body as string | undefined),
      })
      const response = await untilAborted(reply, signal ?? undefined)
      // biome-ignore lint/suspicious/noDocumentCookie: this is the browser's part, and jsdom has no Cookie Store API
      for (const cookie of [response.headers['set-cookie'] ?? []].flat()) document.cookie = cookie
      if (network.losesReplies && method !== 'GET') throw new TypeError('network error')
      const { 'retry-after': wait } = response.headers
      return new Response(response.body, {
        status: response.statusCode,
        statusText: response.statusMessage,
        headers: wait === undefined ? {} : { 'retry-after': String(wait) },
      })
    },
  }
  return network
}
