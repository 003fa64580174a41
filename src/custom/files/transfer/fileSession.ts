import { decodeFileReply } from '../../../schemas/frames/file.ts'
import type { ContinuedDownload } from './continueDownload.ts'
import type { Saved, Target } from './downloadTargets.ts'
import type { FileSessionAddress, OnProgress } from './fileExchange.ts'
import { type Failure, FileFailure } from './fileFailure.ts'
import type { FileOperation, OperationResult, WorkerMessage, WorkerRequest } from './handleWorkerMessages.ts'
import { type Entry, type RawPath, rawFromBytes, sortedEntries } from './remotePath.ts'

/** The page's end of one session. */
export interface FileWorker {
  post(message: WorkerRequest): void
  /** Ends it for good, socket included. */
  close(): void
}

type OpenFileWorker = (receive: (message: WorkerMessage) => void) => FileWorker

const startWorker = () => new Worker(new URL('./files.worker.ts', import.meta.url), { type: 'module' })
let prepared: Worker | undefined

/**
 * Starts the worker of the next session in advance: that takes longer than the server takes to open the session.
 * @returns how to end it, unless a session has taken it
 */
export function prepareFileWorker(): () => void {
  const worker = startWorker()
  prepared = worker
  const drop = () => {
    if (prepared !== worker) return
    prepared = undefined
    worker.terminate()
  }
  // The next session starts another, and reports its failure.
  worker.onerror = drop
  return drop
}

/** Starts the worker that owns the socket: data goes from the network to the disk without passing through the page. */
const openFileWorker: OpenFileWorker = (receive) => {
  const worker = prepared ?? startWorker()
  prepared = undefined
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

/** How long an ended session may take to clean up its current operation, in ms. */
const cleanupTimeoutMs = 2_000

interface TransferOptions {
  onProgress?: OnProgress
  /** Called when the connection of a download is lost, and it is tried again. */
  onWait?: () => void
  /** Cancels it, and ends the session: the protocol knows no other way. */
  signal?: AbortSignal
}

interface SessionOptions {
  /** Asks the server for a new session. */
  openSession: () => Promise<FileSessionAddress>
  /** The server sent something unknown while nothing was requested. */
  onProtocolError: (failure: Failure) => void
  openWorker?: OpenFileWorker
}

export interface Folder {
  /** As the server returned it: a different one when the requested folder could not be listed. */
  path: RawPath
  entries: Entry[]
}

/**
 * The files of one machine. Operations wait for one another. The first operation opens the session, and the next one
 * opens another if it has ended: an open session counts against the user's limit even when it is idle. All calls reject
 * with a FileFailure, or with the error of opening the session.
 */
export class FileSession {
  readonly #options: SessionOptions
  #port: FileWorker | undefined
  /** Whether the port is one that sends files: see `FileSessionOpening`. */
  #sends = false
  #operation:
    | (Pick<TransferOptions, 'onProgress' | 'onWait'> & {
        settle(result: OperationResult): void
        fail(error: FileFailure): void
      })
    | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /** @param locale the language by whose rules names are sorted */
  async list(path: RawPath, locale: string): Promise<Folder> {
    const operation = { type: 'list', path } as const
    const result = await this.#queue(operation).catch((error) => {
      // The connection may have broken while the session was idle: listing again does no harm.
      if (error instanceof FileFailure && error.failure.code === 'lost') return this.#queue(operation)
      throw error
    })
    const reply = result.type === 'listed' ? decodeFileReply(result.frame) : undefined
    if (reply?.kind !== 'list') throw new FileFailure({ code: 'unknown' })
    return { path: rawFromBytes(reply.path), entries: sortedEntries(reply.entries, locale) }
  }

  /** @param continued where it goes on after a cut; left out where it cannot */
  async download(
    path: RawPath,
    target: Target,
    moves?: TransferOptions & { continued?: ContinuedDownload },
  ): Promise<Saved> {
    const { continued } = moves ?? {}
    const result = await this.#queue({ type: 'download', path, target, ...(continued && { continued }) }, moves)
    if (result.type !== 'saved') throw new FileFailure({ code: 'unknown' })
    return result.saved
  }

  async upload(path: RawPath, file: Blob, moves?: TransferOptions): Promise<void> {
    await this.#queue({ type: 'upload', path, file }, moves)
  }

  /** Ends the session; waiting operations fail as cancelled. It can be resumed. */
  close(): void {
    this.#isClosed = true
    this.#abort({ code: 'cancelled' })
  }

  /** Undoes `close`. */
  resume(): void {
    this.#isClosed = false
  }

  #queue(operation: FileOperation, moves: TransferOptions = {}): Promise<OperationResult> {
    const run = () => this.#run(operation, moves)
    const result = this.#last.then(run, run)
    this.#last = result
    return result
  }

  async #run(operation: FileOperation, { onProgress, onWait, signal }: TransferOptions): Promise<OperationResult> {
    this.#throwIfCancelled(signal)
    const sends = operation.type === 'upload'
    if (this.#port && operation.type !== 'list' && sends !== this.#sends) {
      this.#port.close()
      this.#port = undefined
    }
    const port = this.#port ?? (await this.#openPort(sends, signal))
    const cancel = () => {
      port.post({ type: 'cancel' })
      this.#endSoon({ code: 'cancelled' })
    }
    signal?.addEventListener('abort', cancel)
    try {
      return await new Promise<OperationResult>((settle, fail) => {
        this.#operation = { settle, fail, onProgress, onWait }
        port.post(operation)
      })
    } finally {
      signal?.removeEventListener('abort', cancel)
      this.#operation = undefined
    }
  }

  /** The worker starts while the server opens the session. */
  async #openPort(sends: boolean, signal: AbortSignal | undefined): Promise<FileWorker> {
    let failure: Failure | undefined
    const port = (this.#options.openWorker ?? openFileWorker)((message) => {
      if (this.#port === port || message.type !== 'ended') this.#receive(message)
      // No operation is under way yet that could fail with it.
      else failure = message.failure
    })
    try {
      const address = await this.#options.openSession()
      this.#throwIfCancelled(signal)
      if (failure) throw new FileFailure(failure)
      this.#port = port
      this.#sends = sends
      port.post({ type: 'open', ...address, sends })
      return port
    } catch (error) {
      port.close()
      throw error
    }
  }

  #throwIfCancelled(signal: AbortSignal | undefined): void {
    if (this.#isClosed || signal?.aborted) throw new FileFailure({ code: 'cancelled' })
  }

  #receive(message: WorkerMessage): void {
    if (message.type === 'progress') this.#operation?.onProgress?.(message.done, message.total)
    else if (message.type === 'waiting') this.#operation?.onWait?.()
    else if (message.type === 'ended') this.#ended(message.failure)
    else if (message.type === 'failed') this.#operation?.fail(new FileFailure(message.failure))
    else this.#operation?.settle(message)
  }

  #ended(failure: Failure): void {
    if (this.#operation) {
      this.#endSoon(failure)
      return
    }
    this.#abort(failure)
    if (failure.code === 'unknown') this.#options.onProtocolError(failure)
  }

  /** The worker reports how the operation ended when it has cleaned up; after a while it is ended from here. */
  #endSoon(failure: Failure): void {
    const port = this.#port
    this.#port = undefined
    const operation = this.#operation
    const end = () => {
      clearTimeout(timer)
      port?.close()
    }
    const timer = setTimeout(() => {
      end()
      operation?.fail(new FileFailure(failure))
    }, cleanupTimeoutMs)
    this.#operation = operation && {
      ...operation,
      settle: (result) => {
        end()
        operation.settle(result)
      },
      fail: (error) => {
        end()
        operation.fail(error)
      },
    }
  }

  #abort(failure: Failure): void {
    this.#port?.close()
    this.#port = undefined
    this.#operation?.fail(new FileFailure(failure))
  }
}
