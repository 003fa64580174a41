import { Connection } from './connection.ts'
import { LiveFeed } from './liveFeed.ts'
import type { FromFeed, ToFeed } from './messages.ts'
import { packEntries } from './packedEntries.ts'

/** A page that stays hidden this long lets go of its socket: a phone in a pocket should not be sent 10,000 servers. */
const hiddenFor = 60_000

export interface ServedFeed {
  receive(message: ToFeed): void
  /** The network is back: ends a pause early. */
  retry(): void
  /** Closes the socket and ends all timers. A worker needs none of it: it is terminated as a whole. */
  stop(): void
}

/** What runs in the worker: socket and feed behind messages. While paused, frames are kept unread. */
export function serveFeed(post: (message: FromFeed) => void, Socket?: typeof WebSocket): ServedFeed {
  let feed = new LiveFeed()
  let visible: number[] = []
  let paused = false
  let unread: string | undefined
  let restTimer: ReturnType<typeof setTimeout> | undefined

  const read = (text: string) => {
    const tick = feed.read(text)
    if (tick) post({ type: 'tick', ...tick })
  }

  const connection = new Connection(
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
    clearTimeout(restTimer)
    if (unread !== undefined) read(unread)
    unread = undefined
    connection.wake()
  }

  const receive = (message: ToFeed) => {
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
        clearTimeout(restTimer)
        restTimer = setTimeout(() => connection.rest(), hiddenFor)
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
    clearTimeout(restTimer)
    connection.stop()
  }

  return { receive, retry: () => connection.retry(), stop }
}
