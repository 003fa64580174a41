import type { FromFeed, ToFeed } from './messages.ts'

/** The page's end of a feed. */
export interface FeedPort {
  post(message: ToFeed): void
  /** Ends it for good, socket included. */
  close(): void
}

export type OpenFeed = (receive: (message: FromFeed) => void) => FeedPort

/** Starts the worker that owns the socket: parsing ten thousand servers every 2 s is kept off the page's thread. */
export const openWorker: OpenFeed = (receive) => {
  const worker = new Worker(new URL('./socket.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<FromFeed>) => receive(data)
  worker.onerror = (event) => {
    console.error('The worker for live figures failed.', event.message)
    receive({ type: 'lost' })
  }
  return {
    post: (message) => worker.postMessage(message),
    close: () => worker.terminate(),
  }
}
