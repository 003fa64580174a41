import type { OutputPiece } from '../socket/outputBacklog.ts'

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
/** More is asked for when fewer bytes than this are waiting. */
const resumeBelow = 512 * 1024

export interface Output {
  /** Draws bytes or text, and calls back when that is done. */
  write(data: Uint8Array | string, done: () => void): void
  /** The line shown in place of bytes that were left out. */
  skippedNotice(skipped: number): string
}

const encoder = new TextEncoder()

/** Draws the output of a shell at the pace of the screen. */
export class OutputQueue {
  readonly #output: Output
  #chunks: Uint8Array[] = []
  #waiting = 0
  #writing = 0
  #batchSize = batchBytes.initial
  #lastBatch = { at: Number.NEGATIVE_INFINITY, size: 0 }
  #gathering: ReturnType<typeof setTimeout> | undefined
  #waiters: (() => void)[] = []

  constructor(output: Output) {
    this.#output = output
  }

  /** Bytes that were received and are not drawn yet. */
  get pending(): number {
    return this.#waiting + this.#writing
  }

  push({ bytes, skipped }: OutputPiece): void {
    if (skipped) {
      // Cancels an escape sequence that was cut in two.
      const notice = `\x18\x1b[0m\r\n${this.#output.skippedNotice(skipped.bytes)}\r\n${skipped.modes}`
      this.#add(encoder.encode(notice))
    }
    this.#add(bytes)
    this.#flush()
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

  #add(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#waiting += bytes.length
  }

  #hasRoom = () => this.#waiting < resumeBelow

  #resumeSource(): void {
    if (!this.#hasRoom()) return
    for (const resolve of this.#waiters.splice(0)) resolve()
  }

  #flush(): void {
    clearTimeout(this.#gathering)
    while (this.#writing < lowWater) {
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
    this.#flush()
    this.#resumeSource()
  }
}
