/** Flow control of output: when it may be read from its source, and when it must wait for the client. */
export interface OutputFlow {
  /** This many bytes were passed to the socket. */
  sent(bytes: number): void
  /** The client has acknowledged this many more bytes. */
  consumed(bytes: number): void
  /** Must be called when the socket may have drained, or its input was read. */
  update(): void
}

interface Options {
  pause(): void
  resume(): void
  /** Bytes waiting in the socket. */
  buffered(): number
  /** Whether acknowledgements cannot arrive now, because the client's messages wait for the program to read its input. */
  isInputPaused(): boolean
}

/**
 * Bytes of output in flight to a client that acknowledges them. Small, because all of it is still drawn after Ctrl-C, and
 * large enough to keep a fast screen busy and for 30 MB per second at 50 ms. A slow screen reduces it, down to half, by
 * acknowledging later.
 */
export const flowWindow = 1536 * 1024

/** Bytes in the socket, for clients that do not acknowledge. */
const bufferLimits = { pause: 1024 * 1024, resume: 256 * 1024 }

export function createOutputFlow({ pause, resume, buffered, isInputPaused }: Options): OutputFlow {
  let isPaused = false
  let acknowledges = false
  let bytesInFlight = 0

  function update(): void {
    const counts = acknowledges && !isInputPaused()
    const limits = isPaused
      ? { window: flowWindow / 2, buffer: bufferLimits.resume }
      : { window: flowWindow, buffer: bufferLimits.pause }
    const mustPause = buffered() > limits.buffer || (counts && bytesInFlight > limits.window)
    if (mustPause === isPaused) return
    isPaused = mustPause
    if (mustPause) pause()
    else resume()
  }

  return {
    sent(bytes) {
      bytesInFlight += bytes
      update()
    },
    consumed(bytes) {
      acknowledges = true
      // Acknowledging more than was sent gives no credit.
      bytesInFlight = Math.max(0, bytesInFlight - bytes)
      update()
    },
    update,
  }
}
