import type { WorkerMessage, WorkerRequest } from './workerMessages.ts'

/** The page's end of one session. */
export interface FileWorker {
  post(message: WorkerRequest): void
  /** Ends it for good, socket included. */
  close(): void
}

export type OpenFileWorker = (receive: (message: WorkerMessage) => void) => FileWorker

/** Starts the worker that owns the socket: data goes from the network to the disk without passing through the page. */
export const openFileWorker: OpenFileWorker = (receive) => {
  const worker = new Worker(new URL('./files.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => receive(data)
  worker.onerror = (event) => {
    console.error('The worker for files failed.', event.message)
    receive({ type: 'ended', failure: { code: 'lost' } })
  }
  return {
    post: (message) => worker.postMessage(message),
    close: () => worker.terminate(),
  }
}
