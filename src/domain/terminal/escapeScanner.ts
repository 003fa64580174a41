const codes = { bell: 0x07, lineFeed: 0x0a, cancel: 0x18, substitute: 0x1a, escape: 0x1b }
/** Characters of a sequence that are remembered; longer ones set nothing that would be missed. */
const maxSequence = 128

type State =
  /** Between sequences. */
  | 'ground'
  /** After ESC, or after its intermediate characters. */
  | 'escape'
  /** After `ESC [`. */
  | 'control'
  /** In a text that only BEL or `ESC \` ends: a title, an image. */
  | 'text'

interface ReadOptions {
  stopAt?: 'line' | 'character'
  onSequence?: (sequence: string) => void
}

/**
 * Finds escape sequences in the output of a shell, whatever pieces it comes in. It must be given every byte, in order.
 */
export class EscapeScanner {
  #state: State = 'ground'
  #sequence = ''

  /** Whether the last `read` found what it was to stop at. */
  hasStopped = false

  /**
   * Reads to the end, or to where it is to stop: after a line break, or before a character, outside of
   * sequences.
   * @param onSequence called with what follows ESC in each sequence that holds no text, as `[?1049h`
   * @returns where it stopped
   */
  read(bytes: Uint8Array, { stopAt, onSequence }: ReadOptions = {}): number {
    let at = 0
    this.hasStopped = true
    while (at < bytes.length) {
      const byte = bytes[at] as number
      if (this.#state !== 'ground') {
        this.#step(byte, onSequence)
        at += 1
      } else if (stopAt === 'character') {
        if (isFirstByte(byte)) return at
        at += 1
      } else {
        const next = indexOrEnd(bytes, codes.escape, at)
        const line = stopAt === 'line' ? bytes.subarray(at, next).indexOf(codes.lineFeed) : -1
        if (line >= 0) return at + line + 1
        if (next < bytes.length) this.#begin()
        at = next + 1
      }
    }
    this.hasStopped = false
    return bytes.length
  }

  #begin(): void {
    this.#state = 'escape'
    this.#sequence = ''
  }

  #step(byte: number, onSequence: ((sequence: string) => void) | undefined): void {
    if (byte === codes.escape) this.#begin()
    else if (byte === codes.cancel || byte === codes.substitute) this.#state = 'ground'
    else if (this.#state !== 'text') this.#extend(byte, onSequence)
    else if (byte === codes.bell) this.#state = 'ground'
  }

  #extend(byte: number, onSequence: ((sequence: string) => void) | undefined): void {
    if (this.#sequence.length < maxSequence) this.#sequence += String.fromCharCode(byte)
    if (this.#state === 'escape' && isControlIntroducer(byte)) this.#state = 'control'
    else if (this.#state === 'escape' && isTextIntroducer(byte)) this.#state = 'text'
    else if (this.#state === 'escape' ? byte >= 0x30 : byte >= 0x40) {
      this.#state = 'ground'
      if (this.#sequence.length < maxSequence) onSequence?.(this.#sequence)
    }
  }
}

/** Whether a byte is not a continuation byte of UTF-8. */
const isFirstByte = (byte: number) => (byte & 0xc0) !== 0x80
/** `[` */
const isControlIntroducer = (byte: number) => byte === 0x5b
/** `]`, `P`, `X`, `^`, `_` */
const isTextIntroducer = (byte: number) => [0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(byte)

function indexOrEnd(bytes: Uint8Array, value: number, from: number): number {
  const index = bytes.indexOf(value, from)
  return index < 0 ? bytes.length : index
}
