import type { OutputPiece } from '../socket/outputBacklog.ts'

/**
 * Bytes that the emulator is given at once. It reads for 12 ms and then lets the page draw a frame and handle keys, but
 * it only looks at the clock between two writes.
 */
const sliceBytes = 8 * 1024
/** The emulator gets more when fewer bytes than this are being written, so that it is never idle. */
const lowWater = 4 * sliceBytes
/** More is asked for when fewer bytes than this are waiting: what waits here can no longer be left out. */
const resumeBelow = 32 * 1024

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
    while (this.#waiting > 0 && this.#writing < lowWater) {
      const slice = this.#takeOldest(Math.min(this.#waiting, sliceBytes))
      this.#waiting -= slice.length
      this.#writing += slice.length
      this.#output.write(slice, () => this.#onWritten(slice.length))
    }
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

  #onWritten(bytes: number): void {
    this.#writing -= bytes
    this.#flush()
    this.#resumeSource()
  }
}

const pasteStart = '\x1b[200~'

/**
 * Output that is drawn a second time. Programs ask the terminal in their output what it can do and where its cursor
 * stands; the second time nobody waits for the answer, and the shell would take it for typed text.
 */
export class Replay {
  #until = 0
  #at = 0
  #undrawn = 0

  /** Output up to this offset comes again. */
  begin(from: number, until: number): void {
    this.#at = from
    this.#until = until
  }

  /** Output was given to the screen. @param undrawn all bytes that the screen has not drawn yet */
  received(bytes: number, undrawn: number): void {
    if (this.#at >= this.#until) return
    this.#at += bytes
    this.#undrawn = undrawn
  }

  /** The screen has drawn as many bytes. */
  drawn(bytes: number): void {
    this.#undrawn = Math.max(0, this.#undrawn - bytes)
  }

  /** Whether what the screen reports now may be about output that was drawn before. */
  get isRunning(): boolean {
    return this.#at < this.#until || this.#undrawn > 0
  }

  /** Whether this input is an answer of the terminal to output that was drawn again. */
  isAnswer(text: string): boolean {
    return this.isRunning && text.startsWith('\x1b') && !text.startsWith(pasteStart)
  }
}
