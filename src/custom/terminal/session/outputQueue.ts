/** The screen gets more output when fewer bytes than this are being written, so that it is never idle. */
const lowWater = 64 * 1024
/**
 * Size of a batch in bytes. The screen draws a frame after each, and a frame costs as much time as many kilobytes: large
 * batches are faster. Where the screen is slow, small ones keep the page responsive.
 */
const batchBytes = { min: 32 * 1024, initial: 128 * 1024, max: 512 * 1024 }
/**
 * After a batch of this many bytes, further output is gathered for this long, or until it fills a batch. Otherwise a
 * shell that is slightly faster than the screen would cost a frame for each small piece.
 */
const flood = { from: 32 * 1024, gatherMs: 40 }
/** A batch that took less makes the next one larger, one that took more makes it smaller. */
const batchDurationMs = { atLeast: 20, atMost: 60 }
/** Maximum of waiting bytes, where the source cannot be asked to wait. */
const maxWaiting = 16 * 1024 * 1024
/** Maximum of waiting bytes after Ctrl-C. */
const maxWaitingAfterInterrupt = 64 * 1024
/** What arrives within this time after Ctrl-C, in ms, was sent before it. */
const interruptLastsMs = 1_500
/** A source that can wait goes on when fewer bytes than this are waiting. */
const resumeBelow = 1024 * 1024

export interface Output {
  /** Draws bytes or text, and calls back when that is done. */
  write(data: Uint8Array | string, done: () => void): void
  /** The line shown in place of bytes that were left out. */
  skippedNotice(skipped: number): string
  /** This many more bytes were drawn or left out: the source may send as many again. */
  onConsumed(bytes: number): void
}

/**
 * Buffers output between a socket and a screen, and writes it at the pace of the screen. When more arrives than can be
 * drawn, the oldest waiting bytes are left out and a line on screen says so; memory stays bounded.
 */
export class OutputQueue {
  readonly #output: Output
  readonly #limit: number
  #chunks: Uint8Array[] = []
  #waiting = 0
  #writing = 0
  #batchSize = batchBytes.initial
  #lastBatch = { at: Number.NEGATIVE_INFINITY, size: 0 }
  #gathering: ReturnType<typeof setTimeout> | undefined
  #skipped = 0
  #dropUntil = 0
  #waiters: (() => void)[] = []

  constructor(output: Output, limit = maxWaiting) {
    this.#output = output
    this.#limit = limit
  }

  /** Bytes that were received and are not drawn yet. */
  get pending(): number {
    return this.#waiting + this.#writing
  }

  /** Bytes in flight that keep a screen of this speed busy. */
  get bytesInFlight(): number {
    return 4 * this.#batchSize
  }

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#waiting += bytes.length
    this.#dropOldest()
    this.#flush()
  }

  /** After Ctrl-C: drops what is waiting, and what was already on its way. */
  dropBacklog(): void {
    if (this.pending <= maxWaitingAfterInterrupt) return
    this.#dropUntil = performance.now() + interruptLastsMs
    this.#dropOldest()
    this.#resumeSource()
  }

  /** No more output will come: writes what is left without gathering. */
  finish(): void {
    this.#lastBatch.size = 0
    this.#flush()
  }

  /** Resolves once there is room for more. */
  waitForRoom(): Promise<void> {
    if (this.#hasRoom()) return Promise.resolve()
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  #isDropping = () => performance.now() < this.#dropUntil

  #hasRoom = () => this.#isDropping() || this.#waiting < resumeBelow

  #resumeSource(): void {
    if (!this.#hasRoom()) return
    for (const resolve of this.#waiters.splice(0)) resolve()
  }

  #dropOldest(): void {
    const isDropping = this.#isDropping()
    const limit = isDropping ? Math.min(maxWaitingAfterInterrupt, this.#limit) : this.#limit
    if (this.#waiting <= limit) return
    // Drops more than needed, so that not every further chunk leaves a notice of its own.
    const excess = this.#waiting - (isDropping ? limit : limit / 4)
    let dropped = 0
    while (dropped < excess) {
      const chunk = this.#chunks.shift() as Uint8Array
      const rest = chunk.length - (excess - dropped)
      if (rest > 0) {
        const from = lineStart(chunk, Math.ceil(excess - dropped))
        if (from < chunk.length) this.#chunks.unshift(chunk.subarray(from))
        dropped += from
        break
      }
      dropped += chunk.length
    }
    this.#waiting -= dropped
    this.#skipped += dropped
    this.#output.onConsumed(dropped)
  }

  #flush(): void {
    clearTimeout(this.#gathering)
    while (this.#writing < lowWater) {
      if (this.#skipped > 0) {
        // Cancels an escape sequence that was cut in two.
        this.#output.write(`\x18\x1b[0m\r\n${this.#output.skippedNotice(this.#skipped)}\r\n`, () => {})
        this.#skipped = 0
      }
      if (this.#waiting === 0) break
      const pause = this.#gatherDelay()
      if (pause > 0) {
        this.#gathering = setTimeout(() => this.#flush(), pause)
        break
      }
      const part = this.#takeOldest(Math.min(this.#waiting, this.#batchSize))
      this.#waiting -= part.length
      this.#writing += part.length
      const since = performance.now()
      this.#lastBatch = { at: since, size: part.length }
      this.#output.write(part, () => this.#onWritten(part.length, performance.now() - since))
    }
  }

  /** How long to wait for more output, in ms. */
  #gatherDelay(): number {
    if (this.#lastBatch.size < flood.from || this.#waiting >= this.#batchSize) return 0
    return this.#lastBatch.at + flood.gatherMs - performance.now()
  }

  /** Takes the oldest waiting bytes, in one piece. */
  #takeOldest(size: number): Uint8Array {
    const part = new Uint8Array(size)
    for (let at = 0; at < size; ) {
      const chunk = this.#chunks[0] as Uint8Array
      const taken = chunk.subarray(0, size - at)
      part.set(taken, at)
      at += taken.length
      if (taken.length < chunk.length) this.#chunks[0] = chunk.subarray(taken.length)
      else this.#chunks.shift()
    }
    return part
  }

  #adaptBatchSize(durationMs: number): void {
    if (durationMs < batchDurationMs.atLeast) this.#batchSize = Math.min(batchBytes.max, this.#batchSize * 2)
    if (durationMs > batchDurationMs.atMost) this.#batchSize = Math.max(batchBytes.min, this.#batchSize / 2)
  }

  #onWritten(bytes: number, durationMs: number): void {
    this.#writing -= bytes
    if (bytes === this.#batchSize) this.#adaptBatchSize(durationMs)
    this.#output.onConsumed(bytes)
    this.#flush()
    this.#resumeSource()
  }
}

/**
 * Where the next line begins at or after `from`; without one nearby, `from` itself, moved past the rest of a cut
 * character.
 */
function lineStart(chunk: Uint8Array, from: number): number {
  const end = chunk.indexOf(10, from)
  if (end >= 0 && end - from < 4096) return end + 1
  let start = from
  while (start < chunk.length && ((chunk[start] as number) & 0xc0) === 0x80) start += 1
  return start
}
