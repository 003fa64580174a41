import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { closeWhenSent, dropIfClosed } from '../../http2Stream.ts'
import type { HostState } from '../../machines/hosts/host.ts'
import type { ByteBudget } from './byteBudget.ts'
import { type GrpcStatus, grpcCodes, internalError, okStatus, statusTrailers } from './grpcStatus.ts'
import {
  CompressedMessage,
  frameMessage,
  InvalidMessage,
  MessageReader,
  MessageTooLong,
  noBytes,
} from './messageReader.ts'

/** The connection on which a call came. */
export interface GrpcConnection {
  /** The other end: an IP address, and the number of its port. */
  readonly address: string
  readonly port: number
  /** What messages that have not arrived whole may take together. */
  readonly memory: ByteBudget
  /** Called when a call has proved that the client may be here; connections without one are ended soon. */
  authenticated(): void
  /** Calls `listener` once when the connection has ended; at once when it has ended already. */
  onClose(listener: () => void): void
}

/** One call of a client: messages both ways, then a status. */
export interface GrpcCall {
  /** Names in lower case. Of the beginning: forgotten when its method has taken the call, which may last for weeks. */
  metadata: IncomingHttpHeaders
  readonly connection: GrpcConnection
  /**
   * Sets the only listener for messages. Those before it wait under the flow control of HTTP/2.
   * @param maxBytes of a message: a longer one ends the call when it is announced. Default: that of the server.
   */
  onMessage(listener: (message: Uint8Array) => void, maxBytes?: number): void
  /** Counts messages that have not arrived whole also here, in addition to their connection. */
  countIn(memory: ByteBudget): void
  /** Calls `listener` after the client's last message, when it has ended its side properly; also when it already has. */
  onHalfClose(listener: () => void): void
  /** Calls `listener` once when the call is over, for whatever reason; at once when it is over already. */
  onClose(listener: () => void): void
  /** @returns false when the caller should wait for `onDrain`; what is sent after the end is dropped */
  send(message: Uint8Array): boolean
  /** Calls `listener` each time when what was sent has left, after a `send` that returned false. */
  onDrain(listener: () => void): void
  /** Bytes that were sent and have not left yet. */
  pendingBytes(): number
  /** Stops reading: no further message comes, unless the client resets the call, which passes on what has arrived. */
  pause(): void
  resume(): void
  /** Bytes that have arrived and were not read, while it is paused. */
  unreadBytes(): number
  /** Ends the call, once. Default: OK. */
  end(status?: GrpcStatus): void
  /** Whether its other end cannot be reached for now, while the client may be there and come back on another connection. */
  isLost(): boolean
  /**
   * Sets the only listener for reports, where another node has read them and has given their receipts. Absent where
   * messages have to be read here.
   */
  onState?(listener: (state: HostState) => void): void
}

/** Milliseconds for a client to end its side of a call that has ended here. */
const halfClosedMs = 5000

/** Milliseconds in which a message has to arrive once it has begun, and the slowest line on which a long one may come. */
const arrivalMs = { message: 10_000, perMib: 16_000 }

/** Bytes of what waits to be sent, above which callers should wait. */
const highWaterMark = 256 * 1024

/** What all calls of a server have in common. */
interface GrpcCallOptions {
  /** Bytes of one message from the client, unless its listener says otherwise. */
  maxBytes: number
  /** Called with what a listener has thrown; the call has ended then. */
  onError(error: unknown): void
  /** See `Store.whenShown`. */
  whenShown(show: () => void): void
}

/** A class, because there are two of each agent: with a closure for each of its functions, each would take kilobytes. */
export class Http2Call implements GrpcCall {
  metadata: IncomingHttpHeaders
  readonly connection: GrpcConnection
  readonly #stream: ServerHttp2Stream
  readonly #options: GrpcCallOptions
  /** Whether the client has said how it compresses. */
  readonly #saysCompression: boolean
  #onMessage: ((message: Uint8Array) => void) | undefined
  #halfCloseListeners: readonly (() => void)[] = nobody
  #closeListeners: readonly (() => void)[] = nobody
  #drainListeners: readonly (() => void)[] = nobody
  #isEnding = false
  #hasEnded = false
  #isClosed = false
  #isPaused = false
  #isReset = false
  /** Whether the client has ended its side, and nobody has been told yet. */
  #isAtEnd = false
  #reader: MessageReader | undefined
  /** What has come out of the stream, and waits until the call is read again. */
  #unread = noBytes
  #memories: readonly ByteBudget[]
  /** Bytes that were taken from each of the memories. */
  #held = 0
  #closeTimer: NodeJS.Timeout | undefined
  #arrivalTimer: NodeJS.Timeout | undefined
  /** The message that it is for. */
  #awaited = 0

  constructor(
    stream: ServerHttp2Stream,
    metadata: IncomingHttpHeaders,
    connection: GrpcConnection,
    options: GrpcCallOptions,
  ) {
    this.metadata = metadata
    this.connection = connection
    this.#stream = stream
    this.#options = options
    this.#saysCompression = metadata['grpc-encoding'] !== undefined
    this.#memories = [connection.memory]
    stream.on('aborted', () => {
      this.#receiveRest()
      this.#close()
    })
    stream.on('close', () => {
      clearTimeout(this.#closeTimer)
      this.#close()
    })
    // A reset or a lost connection; 'close' follows.
    stream.on('error', () => this.#close())
    stream.on('end', () => {
      this.#isAtEnd = true
      this.#passEnd()
    })
  }

  /** An error of a listener must not end the process, nor keep the event from the others. */
  #tell(listeners: readonly (() => void)[]): void {
    for (const listener of listeners) {
      try {
        listener()
      } catch (error) {
        this.#options.onError(error)
      }
    }
  }

  #receive(reader: MessageReader, chunk: Buffer): void {
    if (this.#hasEnded) return
    try {
      const bytes = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk])
      const rest = reader.push(bytes, () => (this.#isPaused && !this.#isReset) || this.#hasEnded)
      if (this.#isClosed) return
      this.#unread = rest
      // Only now: mostly nothing comes meanwhile, and to stop a stream and to start it again is work for nothing.
      if (this.#isPaused && rest.length > 0) this.#stream.pause()
      this.#hold(reader.heldBytes())
      this.#awaitRest()
    } catch (error) {
      if (error instanceof MessageTooLong) this.end({ code: grpcCodes.resourceExhausted, details: error.message })
      // As the protocol has it: a client that said how it compresses may try again without.
      else if (error instanceof CompressedMessage && this.#saysCompression)
        this.end({ code: grpcCodes.unimplemented, details: error.message })
      else if (error instanceof InvalidMessage) this.end({ code: grpcCodes.internal, details: error.message })
      else {
        this.end(internalError)
        this.#options.onError(error)
      }
    }
  }

  /** Counts what a message takes that has not arrived whole; one for which there is no room ends the call. */
  #hold(bytes: number): void {
    const more = bytes - this.#held
    if (more > 0) {
      const full = this.#memories.findIndex((memory) => !memory.take(more))
      if (full >= 0) {
        for (const memory of this.#memories.slice(0, full)) memory.giveBack(more)
        this.end(noRoom)
        return
      }
    } else if (more < 0) for (const memory of this.#memories) memory.giveBack(-more)
    this.#held = bytes
  }

  /** A message that has begun has to arrive in time, while it is read. */
  #awaitRest(): void {
    const partial = this.#isPaused || this.#isClosed ? undefined : this.#reader?.partial()
    if ((partial?.number ?? 0) === this.#awaited) return
    clearTimeout(this.#arrivalTimer)
    this.#arrivalTimer = undefined
    this.#awaited = partial?.number ?? 0
    if (!partial) return
    const ms = arrivalMs.message + (partial.missing / 2 ** 20) * arrivalMs.perMib
    this.#arrivalTimer = setTimeout(() => this.end(tooSlow), ms)
  }

  /** After a reset nothing is read any more: what has arrived before it is passed on now, by the event 'data'. */
  #receiveRest(): void {
    if (!this.#onMessage) return
    this.#isReset = true
    this.#readUnread()
    while (this.#stream.read() !== null);
  }

  #readUnread(): void {
    if (this.#unread.length > 0 && this.#reader) this.#receive(this.#reader, noBytes)
  }

  #passEnd(): void {
    if (!this.#isAtEnd || this.#unread.length > 0 || this.#hasEnded || this.#stream.aborted) return
    if (this.#reader?.partial()) this.end({ code: grpcCodes.internal, details: 'the last message is incomplete' })
    // A client that sends nothing may have ended its side before its call has had its turn.
    else if (this.#halfCloseListeners.length > 0) {
      this.#isAtEnd = false
      this.#tell(this.#halfCloseListeners)
    }
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#reader?.drop()
    this.#unread = noBytes
    this.#hold(0)
    this.#awaitRest()
    this.#tell(this.#closeListeners)
  }

  /** What is sent tells of rows: it leaves when they are durable, and the end of the call behind it. */
  end(status: GrpcStatus = okStatus): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#options.whenShown(() => this.#endNow(status))
  }

  #endNow(status: GrpcStatus): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const stream = this.#stream
    if (!dropIfClosed(stream)) {
      if (stream.headersSent) {
        stream.once('wantTrailers', () => stream.sendTrailers(statusTrailers(status)))
        stream.end()
      } else {
        stream.respond({ ...responseHeaders, ...statusTrailers(status) }, { endStream: true })
      }
      // What the client still sends is read away, or its end would never be seen.
      stream.resume()
      this.#closeLater(stream.writableLength)
    }
    this.#close()
  }

  /** Closes the stream when its client does not, and gives up what waits for a client that reads nothing. */
  #closeLater(waitsNow: number): void {
    this.#closeTimer = setTimeout(() => {
      const waits = this.#stream.writableLength
      if (waits > 0 && waits < waitsNow) this.#closeLater(waits)
      else if (waits > 0) this.#stream.close(constants.NGHTTP2_CANCEL)
      else closeWhenSent(this.#stream)
    }, halfClosedMs)
  }

  onMessage(listener: (message: Uint8Array) => void, maxBytes = this.#options.maxBytes): void {
    const isFirst = this.#onMessage === undefined
    this.#onMessage = listener
    if (!isFirst) return
    const reader = new MessageReader(maxBytes, (message) => {
      if (!this.#isClosed) this.#onMessage?.(message)
    })
    this.#reader = reader
    this.#stream.on('data', (chunk: Buffer) => this.#receive(reader, chunk))
  }

  countIn(memory: ByteBudget): void {
    this.#memories = [...this.#memories, memory]
  }

  onHalfClose(listener: () => void): void {
    this.#halfCloseListeners = [...this.#halfCloseListeners, listener]
    // When its caller has set the other listeners, too.
    if (this.#isAtEnd) queueMicrotask(() => this.#passEnd())
  }

  onClose(listener: () => void): void {
    if (this.#isClosed) listener()
    else this.#closeListeners = [...this.#closeListeners, listener]
  }

  send(message: Uint8Array): boolean {
    const stream = this.#stream
    if (this.#isEnding || this.#isClosed || dropIfClosed(stream)) return true
    this.#options.whenShown(() => {
      if (this.#isClosed || dropIfClosed(stream)) return
      if (!stream.headersSent) stream.respond(responseHeaders, { waitForTrailers: true })
      stream.write(frameMessage(message))
    })
    return stream.writableLength < highWaterMark
  }

  onDrain(listener: () => void): void {
    if (this.#drainListeners.length === 0) this.#stream.on('drain', () => this.#tell(this.#drainListeners))
    this.#drainListeners = [...this.#drainListeners, listener]
  }

  pendingBytes(): number {
    return this.#stream.writableLength
  }

  pause(): void {
    this.#isPaused = true
    this.#awaitRest()
  }

  resume(): void {
    if (this.#hasEnded || !this.#isPaused) return
    this.#isPaused = false
    this.#readUnread()
    this.#awaitRest()
    if (this.#isPaused) return
    this.#passEnd()
    if (this.#stream.isPaused()) this.#stream.resume()
  }

  unreadBytes(): number {
    return this.#unread.length + this.#stream.readableLength
  }

  isLost(): boolean {
    return false
  }
}

/** What is left of the headers of a call that its method has taken. */
export const noMetadata: IncomingHttpHeaders = {}

/** Lists of listeners are made anew for each: what is pushed to an empty list makes room for seventeen. */
const nobody: readonly (() => void)[] = []

const noRoom: GrpcStatus = {
  code: grpcCodes.resourceExhausted,
  details: 'too many long messages are on their way at the same time: try again',
}

const tooSlow: GrpcStatus = { code: grpcCodes.resourceExhausted, details: 'a message took too long to arrive' }

const responseHeaders = {
  ':status': 200,
  'content-type': 'application/grpc',
  'grpc-accept-encoding': 'identity',
}
