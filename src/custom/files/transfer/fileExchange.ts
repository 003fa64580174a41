import type { Connection, OpenConnection } from '../../../api/sessionConnection.ts'
import {
  decodeFileReply,
  encodeAnnounceReady,
  encodeDownloadRequest,
  encodeListRequest,
  encodeUploadRequest,
  type FileReply,
  fileChunkBytes,
  isDownloadError,
} from '../../../schemas/frames/file.ts'
import { reasonOfCode } from '../../../schemas/frames/sessionClose.ts'
import type { OpenSink, Saved } from './downloadTargets.ts'
import { type FailureCode, FileFailure } from './fileFailure.ts'
import { FrameQueue } from './frameQueue.ts'
import { releaseBuffer } from './releaseBuffer.ts'
import { bytesOfRaw, type RawPath } from './remotePath.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** How long a server may take to answer, in ms. */
const replyTimeoutMs = 10_000
/** How long to wait for a refusal before an upload's data is sent, in ms, where the server does not announce ready. */
const refusalTimeoutMs = 300
/** How often progress is reported while data is leaving, in ms. */
const progressIntervalMs = 200

/** The address of a session, and what its server supports. */
export interface FileSessionAddress {
  /** WebSocket address. */
  url: string
  /** Whether the server announces when the data of an upload may be sent. */
  announcesReady: boolean
}

/** Called repeatedly during a transfer, in bytes. */
export type OnProgress = (done: number, total: number) => void

/**
 * The requests of one file session, over one connection (docs/contract/CONTRACT.md#102-wsfilesession_id). Replies carry
 * no ids, so the caller waits for one operation before it begins the next. Every failure closes the connection, except a
 * refusal after which both sides are still in step.
 */
export class FileExchange {
  readonly #connection: Connection
  readonly #opening: Promise<void>
  readonly #frames = new FrameQueue()
  readonly #onEnd: (failure: FileFailure) => void
  readonly #announcesReady: boolean
  readonly #chunks = new ChunkMemory()
  #opened = false
  #busy = false

  /** @param onEnd called once, when either side has closed the connection */
  constructor(
    { url, announcesReady }: FileSessionAddress,
    openConnection: OpenConnection,
    onEnd: (failure: FileFailure) => void,
  ) {
    this.#onEnd = onEnd
    this.#announcesReady = announcesReady
    const opening = Promise.withResolvers<void>()
    this.#opening = opening.promise
    this.#connection = openConnection(
      url,
      {
        onOpen: () => {
          this.#opened = true
          if (announcesReady) void this.#connection.send(encodeAnnounceReady())
          opening.resolve()
        },
        onMessage: (frame) => (this.#busy ? this.#frames.put(frame) : this.end('unknown')),
        onClose: (code) => {
          this.end(failureOfCode(code) ?? (this.#opened ? 'lost' : 'unreachable'))
          opening.resolve()
        },
      },
      { isOrdered: true, onSent: (data) => this.#chunks.giveBack(data) },
    )
  }

  /** The frame that holds the list; its path is another when the one asked for cannot be listed. */
  list(path: RawPath): Promise<Uint8Array<ArrayBuffer>> {
    return this.#operation(async () => {
      await this.#connection.send(encodeListRequest(bytesOfRaw(path)))
      const frame = await this.#answer()
      this.#expect(decodeFileReply(frame), 'list')
      return frame
    })
  }

  /** @param openSink makes the place where the data goes, once its size is known */
  download(path: RawPath, openSink: OpenSink, onProgress: OnProgress): Promise<Saved> {
    return this.#operation(async () => {
      const bytes = bytesOfRaw(path)
      await this.#connection.send(encodeDownloadRequest(bytes))
      const { size } = this.#expect(decodeFileReply(await this.#answer()), 'download')
      const sink = await openSink(size)
      try {
        for (let done = 0; done < size; ) {
          onProgress(done, size)
          const frame = await this.#frame()
          // From here on only bytes are counted: a file may contain what looks like a marker.
          if (isDownloadError(frame, size - done, bytes)) this.#expect(decodeFileReply(frame), 'download')
          const { length } = frame
          if (length > size - done) throw new FileFailure({ code: 'incomplete' })
          await sink.write(frame)
          done += length
        }
        onProgress(size, size)
        return await sink.close()
      } catch (error) {
        await sink.abort()
        throw error
      }
    })
  }

  /** Sends a local file. Resolves when the server has confirmed all of it. */
  upload(path: RawPath, file: Blob, onProgress: OnProgress): Promise<void> {
    return this.#operation(async () => {
      await this.#connection.send(encodeUploadRequest(bytesOfRaw(path), file.size))
      onProgress(0, file.size)
      let sent = 0
      // The next chunk is read while one is being sent.
      const read = readerOf(file, this.#chunks)
      let next = read()
      let answer = await this.#replyBeforeData(file.size)
      // A reply before the end is an error, and after an error the machine would read data as commands.
      while (!answer && sent < file.size && !this.#frames.hasFrame && !this.#frames.hasEnded) {
        const chunk = await next
        if (this.#frames.hasFrame || this.#frames.hasEnded) break
        sent += chunk.length
        next = read()
        await this.#connection.send(chunk)
        onProgress(Math.max(0, sent - this.#connection.buffered), file.size)
      }
      while (!answer) {
        answer = await this.#frames.take(progressIntervalMs)
        onProgress(Math.max(0, sent - this.#connection.buffered), file.size)
      }
      const reply = decodeFileReply(answer)
      // Data in flight cannot be called back; on a closed connection nobody reads it as a command.
      if (reply.kind === 'error' && sent > 0) this.end('lost')
      this.#expect(reply, 'uploaded')
      if (sent < file.size) throw new FileFailure({ code: 'unknown' })
    })
  }

  /** The server's reply before data may be sent, other than that it is ready. Agents never announce that, they only refuse. */
  async #replyBeforeData(size: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (size > 0 && !this.#announcesReady) return this.#frames.take(refusalTimeoutMs)
    const answer = await this.#answer()
    return size > 0 && decodeFileReply(answer).kind === 'ready' ? undefined : answer
  }

  /** Closes the connection; the current operation fails with this code. */
  end(code: FailureCode): void {
    if (this.#frames.hasEnded) return
    const failure = new FileFailure({ code })
    this.#frames.end(failure)
    this.#connection.close()
    this.#onEnd(failure)
  }

  async #operation<T>(run: () => Promise<T>): Promise<T> {
    this.#busy = true
    try {
      await this.#opening
      if (this.#frames.hasFrame) throw new FileFailure({ code: 'unknown' })
      if (this.#frames.hasEnded) await this.#frames.take()
      return await run()
    } catch (error) {
      const code = error instanceof FileFailure ? error.failure.code : 'lost'
      if (code !== 'refused') this.end(code)
      throw error
    } finally {
      this.#chunks.release()
      this.#busy = false
    }
  }

  async #frame(): Promise<Uint8Array<ArrayBuffer>> {
    const frame = await this.#frames.take()
    return frame ?? this.#frame()
  }

  async #answer(): Promise<Uint8Array<ArrayBuffer>> {
    const frame = await this.#frames.take(replyTimeoutMs)
    if (!frame) throw new FileFailure({ code: 'silent' })
    return frame
  }

  #expect<Kind extends FileReply['kind']>(reply: FileReply, kind: Kind): Extract<FileReply, { kind: Kind }> {
    if (reply.kind === 'error') throw new FileFailure({ code: 'refused', message: reply.text })
    if (reply.kind !== kind) throw new FileFailure({ code: 'unknown' })
    return reply as Extract<FileReply, { kind: Kind }>
  }
}

/** Of RFC 6455: a message is too big. Servers take those of this page; a proxy may not. */
const tooBigCode = 1009

const failureOfCode = (code: number): FailureCode | undefined =>
  code === tooBigCode ? 'frame_refused' : reasonOfCode(code)

/**
 * The memory of chunks, used again for as long as an upload takes: the system gives out new memory page by page, which
 * costs more than reading the file.
 */
class ChunkMemory {
  readonly #free: Bytes[] = []

  take(size: number): Bytes {
    const free = size === fileChunkBytes ? this.#free.pop() : undefined
    return free ?? new Uint8Array(size)
  }

  giveBack(data: Bytes): void {
    if (data.length === fileChunkBytes) this.#free.push(data)
    else releaseBuffer(data)
  }

  release(): void {
    for (const chunk of this.#free.splice(0)) releaseBuffer(chunk)
  }
}

/**
 * Reads a local file chunk by chunk; an empty chunk is its end. It is read as one stream: a slice is a file of its own
 * to the browser, and opening two hundred of them costs more than reading.
 */
function readerOf(file: Blob, memory: ChunkMemory): () => Promise<Bytes> {
  const readInto = readsInto(file.stream())
  let left = file.size
  const read = async () => {
    let chunk = memory.take(Math.min(left, fileChunkBytes))
    for (let at = 0; at < chunk.length; ) {
      const part = await readInto(chunk.subarray(at))
      if (!part?.length) throw new FileFailure({ code: 'unreadable_source' })
      at += part.length
      chunk = new Uint8Array(part.buffer)
    }
    left -= chunk.length
    // A stream goes on when the file was changed meanwhile; reading a slice fails then.
    if (left === 0) await file.slice(0, 1).arrayBuffer()
    return chunk
  }
  return () => {
    const chunk = read().catch((cause) => {
      throw new FileFailure({ code: 'unreadable_source' }, cause)
    })
    // A failure is handled where the chunk is awaited; it may never be.
    chunk.catch(() => {})
    return chunk
  }
}

/** Fills given memory from a stream: resolves with what was filled, in a buffer that takes the place of the given one. */
function readsInto(stream: ReadableStream<Bytes>): (memory: Bytes) => Promise<Bytes | undefined> {
  try {
    const reader = stream.getReader({ mode: 'byob' })
    return async (memory) => (await reader.read(memory, { min: memory.length })).value
  } catch {
    // Some browsers only give out memory of their own.
    const reader = stream.getReader()
    let rest: Bytes | undefined
    return async (memory) => {
      if (!rest?.length) rest = (await reader.read()).value
      const part = rest?.subarray(0, memory.length)
      if (part) memory.set(part)
      rest = rest?.subarray(memory.length)
      return part && memory.subarray(0, part.length)
    }
  }
}
