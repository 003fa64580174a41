import { EscapeScanner } from '../../../domain/terminal/escapeScanner.ts'
import { SkippedModes } from '../../../domain/terminal/skippedModes.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Output for the screen, in the order of the shell. */
export interface OutputPiece {
  bytes: Bytes
  /** What was left out before these bytes. */
  skipped?: {
    bytes: number
    /** Escape sequences that restore the modes set by the skipped bytes, and the colours that apply now. */
    modes: string
  }
}

interface BacklogLimits {
  /** Lines that the screen can show, scrolled back as far as possible. This many newest lines are never left out. */
  lines: number
  /** Bytes that may wait, whatever lines they make. */
  bytes?: number
}

const defaultBytes = 16 * 1024 * 1024
/** Bytes after which the end of a line is no longer looked for. */
const maxLine = 64 * 1024
/** Bytes of chunks that are kept as they came; smaller ones are copied together. */
const joinBelow = 4096

/**
 * Output that has come and is not on the screen yet. A shell that prints faster than the screen draws would make it wait
 * longer and longer: once more than two histories of the screen wait, all but the newest is left out, because no screen
 * will ever show it. It is left out between two lines, and never in the middle of an escape sequence.
 */
export class OutputBacklog {
  #lines: number
  readonly #bytes: number
  readonly #scanner = new EscapeScanner()
  readonly #modes = new SkippedModes()
  readonly #onShown = (sequence: string) => this.#modes.addShown(sequence)
  #chunks: { bytes: Bytes; lines: number }[] = []
  /** The end of the line that the screen is in the middle of; what was skipped comes after it. */
  #endOfLine: Bytes | undefined
  #skipped = 0
  #waitingBytes = 0
  #waitingLines = 0

  constructor({ lines, bytes = defaultBytes }: BacklogLimits) {
    this.#lines = lines
    this.#bytes = bytes
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0 && !this.#endOfLine
  }

  /** From now on, at least so many newest lines are kept in place of those given at the beginning. */
  keep(lines: number): void {
    this.#lines = lines
    if (this.#isTooMuch()) this.#skip()
  }

  /** @returns whether output had to be left out */
  push(bytes: Bytes): boolean {
    if (bytes.length === 0) return false
    const lines = countLines(bytes)
    this.#waitingBytes += bytes.length
    this.#waitingLines += lines
    const last = this.#chunks.at(-1)
    if (last && last.bytes.length + bytes.length <= joinBelow) {
      last.bytes = joined([last.bytes, bytes])
      last.lines += lines
    } else this.#chunks.push({ bytes, lines })
    const isTooMuch = this.#isTooMuch()
    if (isTooMuch) this.#skip()
    return isTooMuch
  }

  #isTooMuch(): boolean {
    return this.#waitingLines > 2 * this.#lines || this.#waitingBytes > this.#bytes
  }

  /**
   * Takes the oldest output, at most so many bytes; `undefined` when there is none. Its memory is its own, to be given
   * away.
   */
  take(atMost: number): OutputPiece | undefined {
    if (this.#endOfLine) {
      const bytes = this.#endOfLine
      this.#endOfLine = undefined
      return { bytes }
    }
    if (this.#chunks.length === 0) return undefined
    const skipped = this.#skipped > 0 ? { bytes: this.#skipped, modes: this.#modes.text() } : undefined
    this.#skipped = 0
    this.#modes.clear()
    const taken: Bytes[] = []
    let size = 0
    while (this.#chunks[0] && size < atMost) {
      const bytes = this.#takeFrom(this.#chunks[0], atMost - size)
      this.#scanner.read(bytes, { onSequence: this.#onShown })
      taken.push(bytes)
      size += bytes.length
    }
    const [first] = taken
    const isWhole = taken.length === 1 && first?.length === first?.buffer.byteLength
    return { bytes: first && isWhole ? first : joined(taken), ...(skipped && { skipped }) }
  }

  #takeFrom(chunk: { bytes: Bytes; lines: number }, atMost: number): Bytes {
    const bytes = chunk.bytes.subarray(0, atMost)
    if (bytes.length === chunk.bytes.length) {
      this.#chunks.shift()
      this.#waitingLines -= chunk.lines
    } else {
      const lines = countLines(bytes)
      chunk.bytes = chunk.bytes.subarray(atMost)
      chunk.lines -= lines
      this.#waitingLines -= lines
    }
    this.#waitingBytes -= bytes.length
    return bytes
  }

  /** Leaves out the oldest lines: whole chunks, and then up to the end of a line. */
  #skip(): void {
    if (this.#skipped === 0) this.#endOfLine = joined(this.#takeLine(this.#onShown))
    const onSequence = (sequence: string) => this.#modes.add(sequence)
    const isTooMuch = this.#waitingBytes > this.#bytes
    for (let first = this.#chunks[0]; first; first = this.#chunks[0]) {
      const hasLines = this.#waitingLines - first.lines > this.#lines
      const hasBytes = this.#waitingBytes - first.bytes.length > this.#bytes / 2
      if (!hasLines && !(isTooMuch && hasBytes)) break
      const bytes = this.#takeFrom(first, first.bytes.length)
      this.#scanner.read(bytes, { onSequence })
      this.#skipped += bytes.length
    }
    for (const bytes of this.#takeLine(onSequence)) this.#skipped += bytes.length
  }

  /** Takes what is left of a line; of an endless one a part, up to where neither a character nor a sequence is cut. */
  #takeLine(onSequence: (sequence: string) => void): Bytes[] {
    const taken: Bytes[] = []
    for (let size = 0; this.#chunks[0]; ) {
      const { bytes } = this.#chunks[0]
      const end = this.#scanner.read(bytes, { stopAt: size < maxLine ? 'line' : 'character', onSequence })
      if (end > 0) taken.push(this.#takeFrom(this.#chunks[0], end))
      size += end
      if (this.#scanner.hasStopped) break
    }
    return taken
  }
}

function countLines(bytes: Bytes): number {
  let lines = 0
  // A plain loop is many times faster than `indexOf` where lines are short, as in a flood of `yes`.
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0x0a) lines += 1
  return lines
}

function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
