import type { Shell } from '../machines/hosts/host.ts'

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

/** Bytes of one frame, as the contract has it. */
const frameLimit = 32 * 1024
/** How long output is gathered, in milliseconds: shorter than a frame of the screen. */
const gatherMs = 4

/** Gathers output into frames. */
export interface OutputFrames {
  add(bytes: Uint8Array): void
  /** Sends what was gathered. */
  flush(): void
}

/**
 * A pty delivers its output in pieces of at most 4 KiB, one per turn of the event loop, and each frame costs the browser
 * more than its bytes. Output after a pause, such as the echo of a key, is sent at the end of the same turn; what follows
 * closely is gathered for a moment, or until a frame is full.
 */
export function createOutputFrames(send: (frame: Uint8Array) => void): OutputFrames {
  let pieces: Uint8Array[] = []
  let size = 0
  let turnTimer: NodeJS.Immediate | undefined
  let gatherTimer: NodeJS.Timeout | undefined
  let sentAt = Number.NEGATIVE_INFINITY

  function flush(): void {
    clearImmediate(turnTimer)
    clearTimeout(gatherTimer)
    turnTimer = undefined
    gatherTimer = undefined
    if (size === 0) return
    sentAt = performance.now()
    const all = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces, size)
    pieces = []
    size = 0
    for (let start = 0; start < all.length; start += frameLimit) send(all.subarray(start, start + frameLimit))
  }

  return {
    add(bytes) {
      pieces.push(bytes)
      size += bytes.length
      if (size >= frameLimit) flush()
      else if (!turnTimer && !gatherTimer) {
        if (performance.now() - sentAt < gatherMs) gatherTimer = setTimeout(flush, gatherMs)
        else turnTimer = setImmediate(flush)
      }
    },
    flush,
  }
}

/** Takes the output of a shell: the newest socket, or nobody but the history. */
export interface OutputReceiver {
  add(bytes: Uint8Array): void
  /** Sends all gathered output at once. */
  flush(): void
  /** Another takes the output from now on. */
  stop(): void
}

/**
 * Bytes that are read in a second from a shell that no browser shows. Enough for every program that somebody waits for;
 * one that prints without end is slowed down, and costs next to nothing.
 */
export const unwatchedBytesPerSecond = 1024 * 1024

/** Lets a shell that no browser shows go on printing, at a pace. */
export function readUnwatched({ pause, resume }: Pick<Shell, 'pause' | 'resume'>): OutputReceiver {
  let bytesInSecond = 0
  let timer: NodeJS.Timeout | undefined
  return {
    add(bytes) {
      bytesInSecond += bytes.length
      timer ??= setTimeout(() => {
        if (bytesInSecond > unwatchedBytesPerSecond) resume()
        bytesInSecond = 0
        timer = undefined
      }, 1000)
      if (bytesInSecond > unwatchedBytesPerSecond) pause()
    },
    flush() {},
    stop: () => clearTimeout(timer),
  }
}
