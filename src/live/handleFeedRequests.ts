import type { FeedMessage, FeedRequest } from './feedMessages.ts'
import { LiveFeed } from './liveFeed.ts'
import { packEntries } from './packedEntries.ts'
import { ReconnectingSocket } from './reconnectingSocket.ts'

/** A page that stays hidden this long closes its socket, to save traffic on phones. */
const suspendAfterMs = 60_000

export interface FeedRequestHandler {
  receive(message: FeedRequest): void
  /** The network is back: ends a delay early. */
  retry(): void
  /** Closes the socket and stops all timers, for tests: a worker is terminated as a whole. */
  stop(): void
}

/** The worker's side of the live feed: socket and state. While paused, the newest frame is kept unread. */
export function handleFeedRequests(
  post: (message: FeedMessage) => void,
  Socket?: typeof WebSocket,
): FeedRequestHandler {
  let feed = new LiveFeed()
  let visible: number[] = []
  let paused = false
  let unread: string | undefined
  let suspendTimer: ReturnType<typeof setTimeout> | undefined

  const read = (text: string) => {
    const tick = feed.read(text)
    if (tick) post({ type: 'tick', ...tick })
  }

  const connection = new ReconnectingSocket(
    {
      onText: (text) => {
        if (paused) unread = text
        else read(text)
      },
      onLost: () => post({ type: 'lost' }),
      onReady: () => post({ type: 'ready' }),
    },
    Socket,
  )

  const resume = () => {
    paused = false
    clearTimeout(suspendTimer)
    if (unread !== undefined) read(unread)
    unread = undefined
    connection.resume()
  }

  const receive = (message: FeedRequest) => {
    switch (message.type) {
      case 'start':
        feed = new LiveFeed()
        feed.show(visible)
        return connection.start(message.url)
      case 'connect':
        return connection.connect()
      case 'wait':
        return connection.wait()
      case 'retry':
        return connection.retry()
      case 'pause':
        paused = true
        clearTimeout(suspendTimer)
        suspendTimer = setTimeout(() => connection.suspend(), suspendAfterMs)
        return
      case 'resume':
        return resume()
      case 'visible': {
        visible = message.ids
        const entries = feed.show(visible)
        if (entries.length) post({ type: 'known', entries })
        return
      }
      case 'snapshot':
        return post({ type: 'snapshot', request: message.request, entries: packEntries(feed.snapshot()) })
    }
  }

  const stop = () => {
    clearTimeout(suspendTimer)
    connection.stop()
  }

  return { receive, retry: () => connection.retry(), stop }
}
