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
