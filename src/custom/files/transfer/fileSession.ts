import { readReply } from '../../../schemas/frames/file.ts'
import { type Entry, sortedEntries } from './entries.ts'
import type { OnProgress } from './fileExchange.ts'
import { type Failure, FileFailure } from './fileFailure.ts'
import { type FilesPort, type OpenFiles, openFilesWorker } from './filesPort.ts'
import type { FileDoor, FileOrder, FileResult, FromFiles } from './messages.ts'
import { type RawPath, rawFromBytes } from './remotePath.ts'
import type { Saved, Target } from './sinks.ts'

/** How long a session that has ended may take to clear up what was under way, in ms. */
const clearingUp = 2_000

interface Moves {
  onProgress?: OnProgress
  /** Cancels it, and ends the session: the protocol knows no other way. */
  signal?: AbortSignal
}

interface SessionOptions {
  /** Asks the server for a new session. */
  openSession: () => Promise<FileDoor>
  /** What the server sent cannot be understood while nobody had asked for anything. */
  onTrouble: (failure: Failure) => void
  openFiles?: OpenFiles
}

export interface Folder {
  /** As the server gave it: another than the one asked for, when that one could not be listed. */
  path: RawPath
  entries: Entry[]
}

/**
 * The files of one machine. Orders wait for one another. The session behind it is opened by the first order and, when
 * it has ended, by the next one: an opened session takes one of a person's places even if nobody uses it.
 * All calls reject with a FileFailure, or with what asking for the session came to.
 */
export class FileSession {
  readonly #options: SessionOptions
  #port: FilesPort | undefined
  #order: { settle(result: FileResult): void; fail(error: FileFailure): void; onProgress?: OnProgress } | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /** @param locale whose order names are sorted in */
  async list(path: RawPath, locale: string): Promise<Folder> {
    const order = { type: 'list', path } as const
    const result = await this.#queue(order).catch((error) => {
      // A line that broke while nobody looked is no failure: asking once more does no harm.
      if (error instanceof FileFailure && error.failure.code === 'lost') return this.#queue(order)
      throw error
    })
    const reply = result.type === 'listed' ? readReply(result.frame) : undefined
    if (reply?.kind !== 'list') throw new FileFailure({ code: 'unknown' })
    return { path: rawFromBytes(reply.path), entries: sortedEntries(reply.entries, locale) }
  }

  async download(path: RawPath, target: Target, moves?: Moves): Promise<Saved> {
    const result = await this.#queue({ type: 'download', path, target }, moves)
    if (result.type !== 'saved') throw new FileFailure({ code: 'unknown' })
    return result.saved
  }

  async upload(path: RawPath, file: Blob, moves?: Moves): Promise<void> {
    await this.#queue({ type: 'upload', path, file }, moves)
  }

  /** Ends the session; whatever waits fails as cancelled. It can be used again. */
  close(): void {
    this.#isClosed = true
    this.#drop({ code: 'cancelled' })
  }

  /** Undoes `close`. */
  resume(): void {
    this.#isClosed = false
  }

  #queue(order: FileOrder, moves: Moves = {}): Promise<FileResult> {
    const run = () => this.#run(order, moves)
    const result = this.#last.then(run, run)
    this.#last = result
    return result
  }

  async #run(order: FileOrder, { onProgress, signal }: Moves): Promise<FileResult> {
    this.#requireWanted(signal)
    if (!this.#port) {
      const door = await this.#options.openSession()
      this.#requireWanted(signal)
      this.#port = (this.#options.openFiles ?? openFilesWorker)((message) => this.#receive(message))
      this.#port.post({ type: 'open', ...door })
    }
    const port = this.#port
    const cancel = () => {
      port.post({ type: 'cancel' })
      this.#endSoon({ code: 'cancelled' })
    }
    signal?.addEventListener('abort', cancel)
    try {
      return await new Promise<FileResult>((settle, fail) => {
        this.#order = { settle, fail, onProgress }
        port.post(order)
      })
    } finally {
      signal?.removeEventListener('abort', cancel)
      this.#order = undefined
    }
  }

  #requireWanted(signal: AbortSignal | undefined): void {
    if (this.#isClosed || signal?.aborted) throw new FileFailure({ code: 'cancelled' })
  }

  #receive(message: FromFiles): void {
    if (message.type === 'progress') this.#order?.onProgress?.(message.done, message.total)
    else if (message.type === 'ended') this.#ended(message.failure)
    else if (message.type === 'failed') this.#order?.fail(new FileFailure(message.failure))
    else this.#order?.settle(message)
  }

  #ended(failure: Failure): void {
    if (this.#order) {
      this.#endSoon(failure)
      return
    }
    this.#drop(failure)
    if (failure.code === 'unknown') this.#options.onTrouble(failure)
  }

  /** The order hears from the worker how it ended, when everything is cleared up; or, failing that, from here. */
  #endSoon(failure: Failure): void {
    const port = this.#port
    this.#port = undefined
    const order = this.#order
    const end = () => {
      clearTimeout(timer)
      port?.close()
    }
    const timer = setTimeout(() => {
      end()
      order?.fail(new FileFailure(failure))
    }, clearingUp)
    this.#order = order && {
      ...order,
      settle: (result) => {
        end()
        order.settle(result)
      },
      fail: (error) => {
        end()
        order.fail(error)
      },
    }
  }

  #drop(failure: Failure): void {
    this.#port?.close()
    this.#port = undefined
    this.#order?.fail(new FileFailure(failure))
  }
}
