import { type OpenConnection, openConnection, openPlainSocket } from '../../../api/sessionConnection.ts'
import { type ContinuedDownload, continueDownload } from './continueDownload.ts'
import { openSink, type Saved, type Target } from './downloadTargets.ts'
import { FileExchange, type FileSessionAddress } from './fileExchange.ts'
import { type Failure, failureOf } from './fileFailure.ts'
import type { RawPath } from './remotePath.ts'

/** Shortest interval between progress messages, in ms: numbers that change faster cannot be read. */
const progressIntervalMs = 200

/** The worker's side of a file session: owns the connection and writes downloads. */
export function handleWorkerMessages(post: (message: WorkerMessage) => void, open?: OpenConnection) {
  let exchange: FileExchange | undefined
  /** Cancels the download that goes on without the session. */
  let cancelling: AbortController | undefined
  /** How the session has ended while a download goes on without it. */
  let ended: Failure | undefined

  const run = (
    operation: FileOperation,
    files: FileExchange,
    onProgress: (done: number, total: number) => void,
  ): Promise<OperationResult> => {
    if (operation.type === 'list') return files.list(operation.path).then((frame) => ({ type: 'listed', frame }))
    if (operation.type === 'upload') {
      return files.upload(operation.path, operation.file, onProgress).then(() => ({ type: 'uploaded' }))
    }
    const { path, target, continued } = operation
    const saving = (saved: Saved): OperationResult => ({ type: 'saved', saved })
    if (!continued) return files.download(path, openSink(target), onProgress).then(saving)
    cancelling = new AbortController()
    return continueDownload({
      continued,
      openSink: openSink(target),
      first: (open) => files.download(path, open, onProgress),
      onProgress,
      onWait: () => post({ type: 'waiting' }),
      signal: cancelling.signal,
    }).then(saving)
  }

  /** The session ends for the page when the download is over that may go on without it. */
  const settle = (message: WorkerMessage) => {
    cancelling = undefined
    post(message)
    if (ended) post({ type: 'ended', failure: ended })
  }

  const receive = (message: WorkerRequest) => {
    if (message.type === 'open') {
      const openBy = open ?? (message.sends ? openPlainSocket : openConnection)
      exchange = new FileExchange(message, openBy, ({ failure }) => {
        if (cancelling) ended = failure
        else post({ type: 'ended', failure })
      })
    } else if (message.type === 'cancel') {
      cancelling?.abort()
      exchange?.end('cancelled')
    } else if (exchange) {
      const { onProgress, stop } = throttled((done, total) => post({ type: 'progress', done, total }))
      run(message, exchange, onProgress)
        .finally(stop)
        .then(settle, (error) => settle({ type: 'failed', failure: failureOf(error) }))
    }
  }

  return { receive }
}

/** Reports at most five times a second, and always the newest in the end: what a line that stalls has brought is shown. */
function throttled(report: (done: number, total: number) => void) {
  let lastReport = Number.NEGATIVE_INFINITY
  let newest: [done: number, total: number] = [0, 0]
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const tell = () => {
    stop()
    lastReport = performance.now()
    report(...newest)
  }
  const onProgress = (done: number, total: number) => {
    newest = [done, total]
    const wait = lastReport + progressIntervalMs - performance.now()
    if (done >= total || wait <= 0) tell()
    else timer ??= setTimeout(tell, wait)
  }
  return { onProgress, stop }
}

/** What can be requested of a session, one at a time. */
export type FileOperation =
  | { type: 'list'; path: RawPath }
  /** `continued`: where it goes on after a cut, see `continueDownload`; left out where it cannot. */
  | { type: 'download'; path: RawPath; target: Target; continued?: ContinuedDownload }
  | { type: 'upload'; path: RawPath; file: Blob }

/** How a session is opened. */
export interface FileSessionOpening extends FileSessionAddress {
  /**
   * Whether it sends files: then by a plain socket. Chromium ends the whole page when a `WebSocketStream` breaks while data
   * is leaving; a session that only receives has the stream, which can hold the sender back.
   */
  sends: boolean
}

/** From the page to the worker that owns the socket. */
export type WorkerRequest =
  | ({ type: 'open' } & FileSessionOpening)
  | FileOperation
  /** The current operation fails as cancelled, and the session ends. */
  | { type: 'cancel' }

/** The result of a request. */
export type OperationResult =
  /** The frame as received: decoding it is cheaper for the page than receiving thousands of objects. */
  { type: 'listed'; frame: Uint8Array<ArrayBuffer> } | { type: 'saved'; saved: Saved } | { type: 'uploaded' }

/** From the worker to the page. */
export type WorkerMessage =
  | OperationResult
  | { type: 'progress'; done: number; total: number }
  /** The connection is lost, and it is tried again. */
  | { type: 'waiting' }
  | { type: 'failed'; failure: Failure }
  /** The session has ended, with or without a current operation. */
  | { type: 'ended'; failure: Failure }
