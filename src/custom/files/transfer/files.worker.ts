import type { ToFiles } from './messages.ts'
import { serveFiles } from './serveFiles.ts'

const files = serveFiles((message) =>
  self.postMessage(message, { transfer: message.type === 'listed' ? [message.frame.buffer] : [] }),
)

self.onmessage = ({ data }: MessageEvent<ToFiles>) => files.receive(data)
