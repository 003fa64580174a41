import { ChangesFeed } from './changesFeed.ts'
import type { FeedMessage, FeedRequest } from './feedMessages.ts'
import { type FeedRequestHandler, handleFeedRequests } from './handleFeedRequests.ts'

const post = (message: FeedMessage) =>
  self.postMessage(message, { transfer: message.type === 'snapshot' ? [message.entries.buffer] : [] })

const addressOf = (path: string) => new URL(`/api/v1/ws/${path}`, self.location.origin.replace(/^http/, 'ws')).href

let feed: FeedRequestHandler | undefined
/** What came before it was known which feed the server has. */
const early: FeedRequest[] = []

/** Most servers send changes: the other feed is a file of its own. */
async function open(sendsChanges: boolean): Promise<FeedRequestHandler> {
  if (sendsChanges) {
    const createFeed = (send: (text: string) => void) => new ChangesFeed(send)
    return handleFeedRequests(post, { url: addressOf('wheelhouse/servers'), createFeed })
  }
  const { LiveFeed } = await import('./liveFeed.ts')
  return handleFeedRequests(post, { url: addressOf('server'), createFeed: () => new LiveFeed() })
}

async function receive(request: FeedRequest): Promise<void> {
  if (feed) return feed.receive(request)
  early.push(request)
  if (request.type !== 'start') return
  feed = await open(request.sendsChanges)
  for (const one of early) feed.receive(one)
}

// A rejection stays in the worker; an error tells the page, which begins another one.
self.onmessage = ({ data }: MessageEvent<FeedRequest>) => void receive(data).catch(reportError)
self.addEventListener('online', () => feed?.retry())
