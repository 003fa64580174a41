/** Bytes of one frame, as the contract has it. */
const frameLimit = 32 * 1024

/** Puts output together into frames. */
export interface OutputFrames {
  add(bytes: Uint8Array): void
  /** Sends what there is. */
  flush(): void
}

/**
 * A terminal gives its output in small pieces, and each frame costs the browser more than its bytes: what comes in one
 * turn of the event loop travels together. Nothing waits longer than that.
 */
export function createOutputFrames(send: (frame: Uint8Array) => void): OutputFrames {
  let pieces: Uint8Array[] = []
  let size = 0
  let turn: NodeJS.Immediate | undefined

  function flush(): void {
    clearImmediate(turn)
    turn = undefined
    if (size === 0) return
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
      else turn ??= setImmediate(flush)
    },
    flush,
  }
}
