import type { ToFeed } from './messages.ts'
import { serveFeed } from './serveFeed.ts'

const feed = serveFeed((message) =>
  self.postMessage(message, { transfer: message.type === 'snapshot' ? [message.entries.buffer] : [] }),
)

self.onmessage = ({ data }: MessageEvent<ToFeed>) => feed.receive(data)
self.addEventListener('online', () => feed.retry())
