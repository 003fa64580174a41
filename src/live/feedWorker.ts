import { type FeedMessage, type FeedRequest, packEntries } from './feedMessages.ts'
import { reconnectDelay } from './reconnectingSocket.ts'

/** The page's side of the live feed. */
export interface FeedWorker {
  post(message: FeedRequest): void
  /** Ends it for good, socket included. */
  close(): void
}

export type OpenFeedWorker = (receive: (message: FeedMessage) => void) => FeedWorker

const createWorker = () => new Worker(new URL('./feed.worker.ts', import.meta.url), { type: 'module' })

/**
 * Starts the worker that owns the socket, so that parsing thousands of servers every 2 s does not block the page. A
 * worker whose code cannot be fetched, because the server goes away at that moment, counts as a lost connection: after a
 * delay `ready` asks whether to begin another one.
 */
export function openFeedWorker(receive: (message: FeedMessage) => void, create = createWorker): FeedWorker {
  let worker: Worker | undefined
  let failures = 0
  let delay: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  /** What another worker has to know as well. */
  const known = new Map<FeedRequest['type'], FeedRequest>()
  /** What is to be answered: without a worker nothing is known of any server. */
  const asked = new Set<number>()

  function answerEmpty(request: number): void {
    asked.delete(request)
    receive({ type: 'snapshot', request, entries: packEntries([]) })
  }

  function begin(): void {
    const begun = create()
    worker = begun
    begun.onmessage = ({ data }: MessageEvent<FeedMessage>) => {
      if (data.type === 'snapshot') asked.delete(data.request)
      // Frames come: this one has found its code and the server.
      if (data.type === 'tick') failures = 0
      receive(data)
    }
    begun.onerror = ({ message }) => {
      console.error('Live metrics failed.', message)
      begun.terminate()
      worker = undefined
      wait()
      receive({ type: 'lost' })
      for (const request of asked) answerEmpty(request)
    }
    for (const request of known.values()) begun.postMessage(request)
  }

  const askAgain = () => receive({ type: 'ready' })

  function wait(): void {
    clearTimeout(delay)
    delay = setTimeout(askAgain, reconnectDelay(failures++))
  }

  begin()
  return {
    post(request) {
      // An answer to `ready` may come after the end of the session.
      if (isClosed) return
      const { type } = request
      if (type === 'start' || type === 'visible' || type === 'pause') known.set(type, request)
      if (type === 'resume') known.delete('pause')
      if (type === 'snapshot' || type === 'states') {
        if (!worker) return answerEmpty(request.request)
        asked.add(request.request)
      }
      if (worker) return worker.postMessage(request)
      if (type === 'connect') return begin()
      if (type === 'wait') return wait()
      if (type !== 'retry') return
      clearTimeout(delay)
      askAgain()
    },
    close() {
      isClosed = true
      clearTimeout(delay)
      worker?.terminate()
    },
  }
}
