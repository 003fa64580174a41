import type { Page, Request } from '@playwright/test'

/** Everything that a page requests, as it went over the network. */
export interface Traffic {
  /** Bytes of scripts and styles, headers included, that were asked for up to a moment, ms since 1970. */
  codeBytes(until: number): Promise<number>
  /** How often an address was asked for, query aside. */
  count(path: string): number
  /** Bytes of the frames that came over WebSockets, those of its workers included. */
  socketBytes(): number
  /** All requests, the page's own included. */
  total(): number
  /** Addresses at other hosts. */
  foreignRequests(): string[]
  /** Hashed files that came uncompressed, or without being cacheable for ever. */
  notImmutable(): Promise<string[]>
}

const isCode = (request: Request) => ['script', 'stylesheet'].includes(request.resourceType())

/** Listens from now on. */
export function recordTraffic(page: Page): Traffic {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  let socketBytes = 0
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      socketBytes += Buffer.byteLength(payload)
    })
  })
  const isOurs = (request: Request) => new URL(request.url()).origin === new URL(page.url()).origin
  return {
    async codeBytes(until) {
      let sum = 0
      for (const request of requests.filter(isCode)) {
        await request.response()
        if (request.timing().startTime > until) continue
        const { responseBodySize, responseHeadersSize } = await request.sizes()
        sum += responseBodySize + responseHeadersSize
      }
      return sum
    },
    count: (path) => requests.filter((request) => new URL(request.url()).pathname === path).length,
    socketBytes: () => socketBytes,
    total: () => requests.length,
    foreignRequests: () =>
      requests
        .filter((request) => /^(http|ws)/.test(request.url()) && !isOurs(request))
        .map((request) => request.url()),
    async notImmutable() {
      const found: string[] = []
      for (const request of requests.filter((one) => one.url().includes('/assets/') && isCode(one))) {
        const headers = (await request.response())?.headers() ?? {}
        const isImmutable = headers['cache-control']?.includes('immutable')
        if (headers['content-encoding'] !== 'br' || !isImmutable) found.push(request.url())
      }
      return found
    },
  }
}

/**
 * Lets everything of a start be of one moment for the page: what was fetched or confirmed seconds ago is asked for again,
 * and on a busy machine a start takes seconds. Timers go on.
 */
export const holdClock = (page: Page): Promise<void> => page.clock.setFixedTime(Date.now())
