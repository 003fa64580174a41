/** Bytes of one frame, as the contract has it. */
const frameLimit = 32 * 1024
/** How long a flood is gathered, in milliseconds: less than a frame of the screen. */
const gatherMs = 4

/** Puts output together into frames. */
export interface OutputFrames {
  add(bytes: Uint8Array): void
  /** Sends what there is. */
  flush(): void
}

/**
 * A terminal gives its output in pieces of 4 KiB at most, one in a turn of the event loop, and each frame costs the
 * browser more than its bytes. What comes after a pause, as the echo of a key, leaves at the end of its turn; what
 * follows at once is gathered for a moment, or until a frame is full.
 */
export function createOutputFrames(send: (frame: Uint8Array) => void): OutputFrames {
  let pieces: Uint8Array[] = []
  let size = 0
  let turn: NodeJS.Immediate | undefined
  let moment: NodeJS.Timeout | undefined
  let sentAt = Number.NEGATIVE_INFINITY

  function flush(): void {
    clearImmediate(turn)
    clearTimeout(moment)
    turn = undefined
    moment = undefined
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
      else if (!turn && !moment) {
        if (performance.now() - sentAt < gatherMs) moment = setTimeout(flush, gatherMs)
        else turn = setImmediate(flush)
      }
    },
    flush,
  }
}
