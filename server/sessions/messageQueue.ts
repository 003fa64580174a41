import type { RawData, WebSocket } from 'ws'

/** The messages of a socket, one after the other, at the pace of the reader. */
export interface MessageQueue {
  /** The next message, in the pieces in which it was received; `undefined` once the queue has ended. One call at a time. */
  next(): Promise<readonly Buffer[] | undefined>
  /** Adds `nothing` as a message, so that the reader has its turn. */
  nudge(): void
  end(): void
}

/** The message of `nudge`, which no client has sent. */
export const nothing: readonly Buffer[] = []

/** Waiting bytes at which the socket is paused and resumed. */
const limits = { pause: 4 * 1024 * 1024, resume: 1024 * 1024 }
/** Memory per message beside its content, so that a flood of tiny messages counts too. */
const overheadBytes = 256

/** A text message gets a zero byte in front, as the contract's servers forward it. */
const piecesOf = (data: RawData, isBinary: boolean): readonly Buffer[] =>
  isBinary ? (data as Buffer[]) : [Buffer.of(0), data as Buffer]

/** The bytes in all pieces of a message. */
export const bytesIn = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

export function createMessageQueue(socket: WebSocket): MessageQueue {
  const frames: (readonly Buffer[])[] = []
  let waitingBytes = 0
  let hasEnded = false
  let wake = () => {}

  // Browsers send a large message in many pieces. Concatenating them would cost as much as receiving them.
  socket.binaryType = 'fragments'
  socket.on('message', (data, isBinary) => {
    if (hasEnded) return
    const frame = piecesOf(data, isBinary)
    frames.push(frame)
    waitingBytes += bytesIn(frame) + overheadBytes
    if (waitingBytes > limits.pause) socket.pause()
    wake()
  })

  function take(): readonly Buffer[] | undefined {
    const frame = frames.shift()
    if (!frame) return undefined
    waitingBytes -= bytesIn(frame) + overheadBytes
    if (socket.isPaused && waitingBytes < limits.resume) socket.resume()
    return frame
  }

  return {
    nudge() {
      if (hasEnded) return
      frames.push(nothing)
      waitingBytes += overheadBytes
      wake()
    },
    async next() {
      while (frames.length === 0 && !hasEnded) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return hasEnded ? undefined : take()
    },
    end() {
      hasEnded = true
      frames.length = 0
      wake()
    },
  }
}
