import type { FeedMessage, FeedRequest, LiveEntry, PackedEntries, Tick } from './feedMessages.ts'
import { ReconnectingSocket } from './reconnectingSocket.ts'

/** A page that stays hidden this long closes its socket, to save traffic on phones. */
const suspendAfterMs = 60_000

/** Holds what is known of all servers, from the frames of one address, and computes what changed for those on screen. */
export interface Feed {
  /** Sets which servers are on screen. @returns the entries of those that were not on screen before */
  show(ids: Iterable<number>): LiveEntry[]
  /**
   * Reads one text frame.
   * @returns what changed on screen; `undefined` while it is paused, and when the text is not a frame
   */
  read(text: string): Tick | undefined
  /** A connection was opened. */
  opened?(): void
  /** The connection was lost, or is closed for a while. */
  lost?(): void
  /** Nothing is on screen for a while. */
  pause(): void
  /** @returns what has changed meanwhile */
  resume(): Tick | undefined
  /** Answers with all servers as of the newest frame or of now, for sorting by a live column. */
  snapshot(answer: (entries: PackedEntries) => void): void
  /** The same, where only which of them are online has to be there. */
  states(): PackedEntries
  /** Ends its timers. */
  stop?(): void
}

export interface FeedOptions {
  /** Of the socket. */
  url: string
  /** @param send sends a text over the connection, if there is one */
  createFeed(send: (text: string) => void): Feed
  Socket?: typeof WebSocket
}

export interface FeedRequestHandler {
  receive(message: FeedRequest): void
  /** The network is back: ends a delay early. */
  retry(): void
  /** Closes the socket and stops all timers, for tests: a worker is terminated as a whole. */
  stop(): void
}

/** The worker's side of the live feed: socket and state. */
export function handleFeedRequests(
  post: (message: FeedMessage) => void,
  { url, createFeed, Socket }: FeedOptions,
): FeedRequestHandler {
  let suspendTimer: ReturnType<typeof setTimeout> | undefined

  const postTick = (tick: Tick | undefined) => {
    if (tick) post({ type: 'tick', ...tick })
  }

  const connection = new ReconnectingSocket(
    {
      onOpen: () => feed.opened?.(),
      onText: (text) => postTick(feed.read(text)),
      onLost: () => {
        feed.lost?.()
        post({ type: 'lost' })
      },
      onReady: () => post({ type: 'ready' }),
    },
    Socket,
  )
  const feed = createFeed((text) => connection.send(text))

  const receive = (message: FeedRequest) => {
    switch (message.type) {
      case 'start':
        return connection.start(url)
      case 'connect':
        return connection.connect()
      case 'wait':
        return connection.wait()
      case 'retry':
        return connection.retry()
      case 'pause':
        feed.pause()
        clearTimeout(suspendTimer)
        suspendTimer = setTimeout(() => {
          connection.suspend()
          feed.lost?.()
        }, suspendAfterMs)
        return
      case 'resume':
        clearTimeout(suspendTimer)
        postTick(feed.resume())
        return connection.resume()
      case 'visible': {
        const entries = feed.show(message.ids)
        if (entries.length) post({ type: 'known', entries })
        return
      }
      case 'snapshot':
      case 'states': {
        const { type, request } = message
        const answer = (entries: PackedEntries) => post({ type: 'snapshot', request, entries })
        return type === 'states' ? answer(feed.states()) : feed.snapshot(answer)
      }
    }
  }

  const stop = () => {
    clearTimeout(suspendTimer)
    feed.stop?.()
    connection.stop()
  }

  return { receive, retry: () => connection.retry(), stop }
}
