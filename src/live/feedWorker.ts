import type { FeedMessage, FeedRequest } from './feedMessages.ts'

/** The page's side of the live feed. */
export interface FeedWorker {
  post(message: FeedRequest): void
  /** Ends it for good, socket included. */
  close(): void
}

export type OpenFeedWorker = (receive: (message: FeedMessage) => void) => FeedWorker

/** Starts the worker that owns the socket, so that parsing thousands of servers every 2 s does not block the page. */
export const openFeedWorker: OpenFeedWorker = (receive) => {
  const worker = new Worker(new URL('./feed.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<FeedMessage>) => receive(data)
  worker.onerror = (event) => {
    console.error('The worker for live metrics failed.', event.message)
    receive({ type: 'lost' })
  }
  return {
    post: (message) => worker.postMessage(message),
    close: () => worker.terminate(),
  }
}
