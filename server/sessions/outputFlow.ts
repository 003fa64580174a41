/** When output may be read from its source, and when it must wait for those who take it. */
export interface OutputFlow {
  /** So many bytes were given to the socket. */
  sent(bytes: number): void
  /** The client says that it has dealt with so many more. */
  consumed(bytes: number): void
  /** The socket may have drained, or the input been taken. */
  look(): void
}

interface Options {
  pause(): void
  resume(): void
  /** Bytes that wait in the socket. */
  buffered(): number
  /** Whether what the client says cannot be heard now, because its messages wait for the program to read. */
  isDeaf(): boolean
}

/**
 * Bytes of output that may be under way to somebody who tells what they have dealt with. Little, because all of it is
 * still to be shown after Ctrl-C; and enough to keep a fast screen busy while it draws, and for 30 MB a second over
 * 50 ms. A slow screen makes it smaller, down to half, by keeping to itself what it has dealt with.
 */
export const flowWindow = 1536 * 1024

/** Bytes in the socket, for those who tell nothing. */
const bufferLimits = { pause: 1024 * 1024, resume: 256 * 1024 }

export function createOutputFlow({ pause, resume, buffered, isDeaf }: Options): OutputFlow {
  let isPaused = false
  let tells = false
  let underWay = 0

  function look(): void {
    const counts = tells && !isDeaf()
    const limits = isPaused
      ? { window: flowWindow / 2, buffer: bufferLimits.resume }
      : { window: flowWindow, buffer: bufferLimits.pause }
    const mustWait = buffered() > limits.buffer || (counts && underWay > limits.window)
    if (mustWait === isPaused) return
    isPaused = mustWait
    if (mustWait) pause()
    else resume()
  }

  return {
    sent(bytes) {
      underWay += bytes
      look()
    },
    consumed(bytes) {
      tells = true
      // More than was sent is no credit for later.
      underWay = Math.max(0, underWay - bytes)
      look()
    },
    look,
  }
}
