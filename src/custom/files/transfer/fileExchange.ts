import type { Connection, OpenConnection } from '../../../api/sessionConnection.ts'
import {
  encodeDownloadRequest,
  encodeListRequest,
  encodeTellReady,
  encodeUploadRequest,
  type FileReply,
  fileChunkBytes,
  isDownloadError,
  readReply,
} from '../../../schemas/frames/file.ts'
import { type FailureCode, FileFailure } from './fileFailure.ts'
import { FrameChannel } from './frameChannel.ts'
import type { FileDoor } from './messages.ts'
import { bytesOfRaw, type RawPath } from './remotePath.ts'
import { releaseBuffer } from './releaseBuffer.ts'
import type { OpenSink, Saved } from './sinks.ts'

/** How long a server may take to answer, in ms. */
const patience = 10_000
/** How long a refusal of an upload is waited for before its data follows, in ms, where the server gives no go-ahead. */
const refusalPause = 300
/** How often the progress of data that is leaving is told, in ms. */
const progressPause = 200

/** Told again and again while data moves. */
export type OnProgress = (done: number, total: number) => void

/**
 * What can be asked of a machine's files over one line (docs/contract/CONTRACT.md#102-wsfilesession_id). The protocol
 * has no tags, so whoever uses it waits for one operation before beginning the next. Every failure but a refusal that
 * leaves both sides in step closes the line.
 */
export class FileExchange {
  readonly #connection: Connection
  readonly #opening: Promise<void>
  readonly #frames = new FrameChannel()
  readonly #onEnd: (failure: FileFailure) => void
  readonly #tellsReady: boolean
  #opened = false
  #busy = false

  /** @param onEnd called once, when the line is closed by whomever */
  constructor({ url, tellsReady }: FileDoor, openConnection: OpenConnection, onEnd: (failure: FileFailure) => void) {
    this.#onEnd = onEnd
    this.#tellsReady = tellsReady
    const opening = Promise.withResolvers<void>()
    this.#opening = opening.promise
    this.#connection = openConnection(
      url,
      {
        onOpen: () => {
          this.#opened = true
          if (tellsReady) void this.#connection.send(encodeTellReady())
          opening.resolve()
        },
        onMessage: (frame) => (this.#busy ? this.#frames.put(frame) : this.end('unknown')),
        onClose: () => {
          this.end(this.#opened ? 'lost' : 'unreachable')
          opening.resolve()
        },
      },
      { isOrdered: true, onSent: releaseBuffer },
    )
  }

  /** The frame that holds the list; its path is another when the one asked for cannot be listed. */
  list(path: RawPath): Promise<Uint8Array<ArrayBuffer>> {
    return this.#operation(async () => {
      await this.#connection.send(encodeListRequest(bytesOfRaw(path)))
      const frame = await this.#answer()
      this.#expect(readReply(frame), 'list')
      return frame
    })
  }

  /** @param openSink makes the place where the data goes, once its size is known */
  download(path: RawPath, openSink: OpenSink, onProgress: OnProgress): Promise<Saved> {
    return this.#operation(async () => {
      const bytes = bytesOfRaw(path)
      await this.#connection.send(encodeDownloadRequest(bytes))
      const { size } = this.#expect(readReply(await this.#answer()), 'download')
      const sink = await openSink(size)
      try {
        for (let done = 0; done < size; ) {
          onProgress(done, size)
          const frame = await this.#frame()
          // From here on bytes are counted: a file may hold what looks like a marker.
          if (isDownloadError(frame, size - done, bytes)) this.#expect(readReply(frame), 'download')
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

  /** Sends a file of this computer. Resolves when the server has said that it has all of it. */
  upload(path: RawPath, file: Blob, onProgress: OnProgress): Promise<void> {
    return this.#operation(async () => {
      await this.#connection.send(encodeUploadRequest(bytesOfRaw(path), file.size))
      onProgress(0, file.size)
      let sent = 0
      // While one chunk leaves, the next is read.
      const read = readerOf(file)
      let next = read()
      let answer = await this.#wordBeforeData(file.size)
      // Whatever comes before the end is no good, and after an error the machine would read data as commands.
      while (!answer && sent < file.size && !this.#frames.hasFrame && !this.#frames.hasEnded) {
        const chunk = await next
        if (this.#frames.hasFrame || this.#frames.hasEnded) break
        sent += chunk.length
        next = read()
        await this.#connection.send(chunk)
        onProgress(Math.max(0, sent - this.#connection.buffered), file.size)
      }
      while (!answer) {
        answer = await this.#frames.take(progressPause)
        onProgress(Math.max(0, sent - this.#connection.buffered), file.size)
      }
      const reply = readReply(answer)
      // What is on its way already cannot be called back; on a closed line nobody reads it as a command.
      if (reply.kind === 'error' && sent > 0) this.end('lost')
      this.#expect(reply, 'uploaded')
      if (sent < file.size) throw new FileFailure({ code: 'unknown' })
    })
  }

  /** What the server says before data may come, other than that it may. Agents give no go-ahead, only refusals. */
  async #wordBeforeData(size: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (size > 0 && !this.#tellsReady) return this.#frames.take(refusalPause)
    const answer = await this.#answer()
    return size > 0 && readReply(answer).kind === 'ready' ? undefined : answer
  }

  /** Closes the line; what is under way fails with this. */
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
      this.#busy = false
    }
  }

  async #frame(): Promise<Uint8Array<ArrayBuffer>> {
    const frame = await this.#frames.take()
    return frame ?? this.#frame()
  }

  async #answer(): Promise<Uint8Array<ArrayBuffer>> {
    const frame = await this.#frames.take(patience)
    if (!frame) throw new FileFailure({ code: 'silent' })
    return frame
  }

  #expect<Kind extends FileReply['kind']>(reply: FileReply, kind: Kind): Extract<FileReply, { kind: Kind }> {
    if (reply.kind === 'error') throw new FileFailure({ code: 'refused', words: reply.text })
    if (reply.kind !== kind) throw new FileFailure({ code: 'unknown' })
    return reply as Extract<FileReply, { kind: Kind }>
  }
}

/**
 * A file of this computer, chunk by chunk; an empty one at its end. Each call is for the next one. It is read as one
 * stream: a part that is cut out is a file of its own to the browser, and opening two hundred of them costs more than
 * reading.
 */
function readerOf(file: Blob): () => Promise<Uint8Array<ArrayBuffer>> {
  const reader = file.stream().getReader()
  let left = file.size
  let rest = new Uint8Array(0)
  const read = async () => {
    const chunk = new Uint8Array(Math.min(left, fileChunkBytes))
    for (let at = 0; at < chunk.length; ) {
      if (rest.length === 0) {
        const { value } = await reader.read()
        if (!value) throw new FileFailure({ code: 'unreadable_source' })
        rest = value
      }
      const part = rest.subarray(0, chunk.length - at)
      chunk.set(part, at)
      at += part.length
      rest = rest.subarray(part.length)
    }
    left -= chunk.length
    // A stream goes on when the file is written to meanwhile; a part of it can no longer be read then.
    if (left === 0) await file.slice(0, 1).arrayBuffer()
    return chunk
  }
  return () => {
    const chunk = read().catch((cause) => {
      throw new FileFailure({ code: 'unreadable_source' }, cause)
    })
    // Its failure is known only to whoever still wants it.
    chunk.catch(() => {})
    return chunk
  }
}
