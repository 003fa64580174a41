import type { ToFeed } from './messages.ts'
import { serveFeed } from './serveFeed.ts'

const feed = serveFeed((message) => self.postMessage(message))

self.onmessage = ({ data }: MessageEvent<ToFeed>) => feed.receive(data)
self.addEventListener('online', () => feed.retry())
