import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { dropIfClosed } from '../../http2Stream.ts'
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
  /** Called when a call has proved that the client may be here; connections without one are ended soon. */
  authenticated(): void
}

/** One call of a client: messages both ways, then a status. */
export interface GrpcCall {
  /** Names in lower case. */
  readonly metadata: IncomingHttpHeaders
  readonly connection: GrpcConnection
  /** Sets the only listener for messages. Those before it wait under the flow control of HTTP/2. */
  onMessage(listener: (message: Uint8Array) => void): void
  /** Calls `listener` after the client's last message, when it has ended its side properly. */
  onHalfClose(listener: () => void): void
  /** Calls `listener` once when the call is over, for whatever reason; at once when it is over already. */
  onClose(listener: () => void): void
  /** @returns false when the caller should wait for `onDrain`; what is sent after the end is dropped */
  send(message: Uint8Array): boolean
  /** Calls `listener` each time when what was sent has left, after a `send` that returned false. */
  onDrain(listener: () => void): void
  /** Bytes that were sent and have not left yet. */
  pendingBytes(): number
  /** Stops reading; messages that have arrived may still come. */
  pause(): void
  resume(): void
  /** Ends the call, once. Default: OK. */
  end(status?: GrpcStatus): void
}

/** Milliseconds for a client to end its side of a call that has ended here. */
const halfClosedMs = 5000

/** Bytes of what waits to be sent, above which callers should wait. */
const highWaterMark = 256 * 1024

interface GrpcCallOptions {
  connection: GrpcConnection
  /** Bytes of one message from the client. */
  maxBytes: number
  /** Called with what a listener has thrown; the call has ended then. */
  onError(error: unknown): void
}

export function createGrpcCall(
  stream: ServerHttp2Stream,
  metadata: IncomingHttpHeaders,
  { connection, maxBytes, onError }: GrpcCallOptions,
): GrpcCall {
  let onMessage: ((message: Uint8Array) => void) | undefined
  const halfCloseListeners: (() => void)[] = []
  const closeListeners: (() => void)[] = []
  const drainListeners: (() => void)[] = []
  let hasEnded = false
  let isClosed = false
  const reader = createMessageReader(maxBytes, (message) => {
    if (!isClosed) onMessage?.(message)
  })

  function receive(chunk: Buffer): void {
    if (hasEnded) return
    try {
      reader.push(chunk)
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

  /** After a reset nothing is read any more: what has arrived before it is passed on now, by the event 'data'. */
  function receiveRest(): void {
    if (!onMessage) return
    while (stream.read() !== null);
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    for (const listener of closeListeners) listener()
  }

  function end(status: GrpcStatus = okStatus): void {
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
      const timer = setTimeout(() => stream.close(), halfClosedMs)
      stream.once('close', () => clearTimeout(timer))
    }
    close()
  }

  stream.on('aborted', () => {
    receiveRest()
    close()
  })
  stream.on('close', close)
  // A reset or a lost connection; 'close' follows.
  stream.on('error', close)
  stream.on('drain', () => {
    for (const listener of drainListeners) listener()
  })
  stream.on('end', () => {
    if (hasEnded || stream.aborted) return
    if (!reader.isBetweenMessages()) return end({ code: grpcCodes.internal, details: 'the last message is incomplete' })
    for (const listener of halfCloseListeners) listener()
  })

  return {
    metadata,
    connection,
    onMessage(listener) {
      const isFirst = onMessage === undefined
      onMessage = listener
      if (isFirst) stream.on('data', receive)
    },
    onHalfClose: (listener) => void halfCloseListeners.push(listener),
    onClose(listener) {
      if (isClosed) listener()
      else closeListeners.push(listener)
    },
    send(message) {
      if (hasEnded || isClosed || dropIfClosed(stream)) return true
      if (!stream.headersSent) stream.respond(responseHeaders, { waitForTrailers: true })
      stream.write(frameMessage(message))
      return stream.writableLength < highWaterMark
    },
    onDrain: (listener) => void drainListeners.push(listener),
    pendingBytes: () => stream.writableLength,
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    end,
  }
}

const responseHeaders = {
  ...{ ':status': 200, 'content-type': 'application/grpc' },
  'grpc-accept-encoding': 'identity',
}
