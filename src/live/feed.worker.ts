import type { FeedRequest } from './feedMessages.ts'
import { handleFeedRequests } from './handleFeedRequests.ts'

const feed = handleFeedRequests((message) =>
  self.postMessage(message, { transfer: message.type === 'snapshot' ? [message.entries.buffer] : [] }),
)

self.onmessage = ({ data }: MessageEvent<FeedRequest>) => feed.receive(data)
self.addEventListener('online', () => feed.retry())
