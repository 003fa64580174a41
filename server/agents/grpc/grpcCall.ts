import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { closeWhenSent, dropIfClosed } from '../../http2Stream.ts'
import type { HostState } from '../../machines/hosts/host.ts'
import type { ByteBudget } from './byteBudget.ts'
import { type GrpcStatus, grpcCodes, internalError, okStatus, statusTrailers } from './grpcStatus.ts'
import {
  CompressedMessage,
  createMessageReader,
  frameMessage,
  InvalidMessage,
  MessageTooLong,
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
  /** Names in lower case. */
  readonly metadata: IncomingHttpHeaders
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

interface GrpcCallOptions {
  connection: GrpcConnection
  /** Bytes of one message from the client, unless its listener says otherwise. */
  maxBytes: number
  /** Called with what a listener has thrown; the call has ended then. */
  onError(error: unknown): void
  /** See `Store.whenShown`. */
  whenShown(show: () => void): void
}

export function createGrpcCall(
  stream: ServerHttp2Stream,
  metadata: IncomingHttpHeaders,
  { connection, maxBytes, onError, whenShown }: GrpcCallOptions,
): GrpcCall {
  let onMessage: ((message: Uint8Array) => void) | undefined
  const halfCloseListeners: (() => void)[] = []
  const closeListeners: (() => void)[] = []
  const drainListeners: (() => void)[] = []
  let isEnding = false
  let hasEnded = false
  let isClosed = false
  let isPaused = false
  let isReset = false
  /** Whether the client has ended its side, and nobody has been told yet. */
  let isAtEnd = false
  let reader = createMessageReader(maxBytes, () => {})
  /** What has come out of the stream, and waits until the call is read again. */
  let unread: Buffer = Buffer.alloc(0)
  const memories = [connection.memory]
  /** Bytes that were taken from each of the memories. */
  let held = 0
  let closeTimer: NodeJS.Timeout | undefined
  let arrivalTimer: NodeJS.Timeout | undefined
  /** The message that it is for. */
  let awaited = 0

  /** An error of a listener must not end the process, nor keep the event from the others. */
  function tell(listeners: readonly (() => void)[]): void {
    for (const listener of listeners) {
      try {
        listener()
      } catch (error) {
        onError(error)
      }
    }
  }

  function receive(chunk: Buffer): void {
    if (hasEnded) return
    try {
      const bytes = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
      const rest = reader.push(bytes, () => (isPaused && !isReset) || hasEnded)
      if (isClosed) return
      unread = rest
      hold(reader.heldBytes())
      awaitRest()
    } catch (error) {
      if (error instanceof MessageTooLong) end({ code: grpcCodes.resourceExhausted, details: error.message })
      // As the protocol has it: a client that said how it compresses may try again without.
      else if (error instanceof CompressedMessage && metadata['grpc-encoding'])
        end({ code: grpcCodes.unimplemented, details: error.message })
      else if (error instanceof InvalidMessage) end({ code: grpcCodes.internal, details: error.message })
      else {
        end(internalError)
        onError(error)
      }
    }
  }

  /** Counts what a message takes that has not arrived whole; one for which there is no room ends the call. */
  function hold(bytes: number): void {
    const more = bytes - held
    if (more > 0) {
      const full = memories.findIndex((memory) => !memory.take(more))
      if (full >= 0) {
        for (const memory of memories.slice(0, full)) memory.giveBack(more)
        end(noRoom)
        return
      }
    } else if (more < 0) for (const memory of memories) memory.giveBack(-more)
    held = bytes
  }

  /** A message that has begun has to arrive in time, while it is read. */
  function awaitRest(): void {
    const partial = isPaused || isClosed ? undefined : reader.partial()
    if (partial?.number === awaited) return
    clearTimeout(arrivalTimer)
    awaited = partial?.number ?? 0
    if (!partial) return
    const ms = arrivalMs.message + (partial.missing / 2 ** 20) * arrivalMs.perMib
    arrivalTimer = setTimeout(() => end(tooSlow), ms)
  }

  /** After a reset nothing is read any more: what has arrived before it is passed on now, by the event 'data'. */
  function receiveRest(): void {
    if (!onMessage) return
    isReset = true
    readUnread()
    while (stream.read() !== null);
  }

  function readUnread(): void {
    if (unread.length > 0) receive(Buffer.alloc(0))
  }

  function passEnd(): void {
    if (!isAtEnd || unread.length > 0 || hasEnded || stream.aborted) return
    if (reader.partial()) end({ code: grpcCodes.internal, details: 'the last message is incomplete' })
    // A client that sends nothing may have ended its side before its call has had its turn.
    else if (halfCloseListeners.length > 0) {
      isAtEnd = false
      tell(halfCloseListeners)
    }
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    reader.drop()
    unread = Buffer.alloc(0)
    hold(0)
    awaitRest()
    tell(closeListeners)
  }

  /** What is sent tells of rows: it leaves when they are durable, and the end of the call behind it. */
  function end(status: GrpcStatus = okStatus): void {
    if (isEnding) return
    isEnding = true
    whenShown(() => endNow(status))
  }

  function endNow(status: GrpcStatus): void {
    if (hasEnded) return
    hasEnded = true
    if (!dropIfClosed(stream)) {
      if (stream.headersSent) {
        stream.once('wantTrailers', () => stream.sendTrailers(statusTrailers(status)))
        stream.end()
      } else {
        stream.respond({ ...responseHeaders, ...statusTrailers(status) }, { endStream: true })
      }
      // What the client still sends is read away, or its end would never be seen.
      stream.resume()
      closeLater(stream.writableLength)
    }
    close()
  }

  /** Closes the stream when its client does not, and gives up what waits for a client that reads nothing. */
  function closeLater(waitsNow: number): void {
    closeTimer = setTimeout(() => {
      const waits = stream.writableLength
      if (waits > 0 && waits < waitsNow) closeLater(waits)
      else if (waits > 0) stream.close(constants.NGHTTP2_CANCEL)
      else closeWhenSent(stream)
    }, halfClosedMs)
  }

  stream.on('aborted', () => {
    receiveRest()
    close()
  })
  stream.on('close', () => {
    clearTimeout(closeTimer)
    close()
  })
  // A reset or a lost connection; 'close' follows.
  stream.on('error', close)
  stream.on('drain', () => tell(drainListeners))
  stream.on('end', () => {
    isAtEnd = true
    passEnd()
  })

  return {
    metadata,
    connection,
    onMessage(listener, ownMaxBytes = maxBytes) {
      const isFirst = onMessage === undefined
      onMessage = listener
      if (!isFirst) return
      reader = createMessageReader(ownMaxBytes, (message) => {
        if (!isClosed) onMessage?.(message)
      })
      stream.on('data', receive)
    },
    countIn: (memory) => void memories.push(memory),
    onHalfClose(listener) {
      halfCloseListeners.push(listener)
      // When its caller has set the other listeners, too.
      if (isAtEnd) queueMicrotask(passEnd)
    },
    onClose(listener) {
      if (isClosed) listener()
      else closeListeners.push(listener)
    },
    send(message) {
      if (isEnding || isClosed || dropIfClosed(stream)) return true
      whenShown(() => {
        if (isClosed || dropIfClosed(stream)) return
        if (!stream.headersSent) stream.respond(responseHeaders, { waitForTrailers: true })
        stream.write(frameMessage(message))
      })
      return stream.writableLength < highWaterMark
    },
    onDrain: (listener) => void drainListeners.push(listener),
    pendingBytes: () => stream.writableLength,
    pause() {
      isPaused = true
      stream.pause()
      awaitRest()
    },
    resume() {
      if (hasEnded || !isPaused) return
      isPaused = false
      readUnread()
      awaitRest()
      if (isPaused) return
      passEnd()
      stream.resume()
    },
    unreadBytes: () => unread.length + stream.readableLength,
    end,
    isLost: () => false,
  }
}

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
