import type { RawData, WebSocket } from 'ws'

/** Messages of a socket, one after the other at the pace of whoever takes them. */
export interface FrameQueue {
  /** The next message, in the pieces in which it came; nothing once the queue has ended. One call at a time. */
  next(): Promise<readonly Buffer[] | undefined>
  end(): void
}

/** Bytes that wait; the client waits beyond them. More than the largest message need not fit. */
const limits = { pause: 4 * 1024 * 1024, resume: 1024 * 1024 }
/** What keeping a message costs beside its content, so that a flood of tiny ones counts too. */
const overheadBytes = 256

/** A message of text gets a zero byte in front: this is how the contract's servers pass it on. */
const piecesOf = (data: RawData, isBinary: boolean): readonly Buffer[] =>
  isBinary ? (data as Buffer[]) : [Buffer.of(0), data as Buffer]

/** The bytes in all pieces of a message. */
export const bytesIn = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

export function createFrameQueue(socket: WebSocket): FrameQueue {
  const frames: (readonly Buffer[])[] = []
  let waitingBytes = 0
  let hasEnded = false
  let wake = () => {}

  // A browser sends a large message in many pieces. To put them together would cost as much as to receive them.
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
