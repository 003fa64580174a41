/** Seconds without output after which a command counts as over, where the shell does not say so. */
export const quietSeconds = 10

/** How it was seen that a command has ended: the shell has said so, nothing was printed any more, or the shell itself ended. */
export type CommandEnd = 'marks' | 'quiet'

/**
 * Waits for the end of the command in front. Some shells mark it in their output (OSC 133, as fish does, and others with
 * the integration of an emulator). For all others there is only silence: the console changes nobody's start-up files.
 */
export class CommandWatch {
  readonly #onEnd: (how: CommandEnd) => void
  #hasMarks = false
  #isWaiting = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(onEnd: (how: CommandEnd) => void) {
    this.#onEnd = onEnd
  }

  /** What it would wait for, or waits for now. */
  get how(): CommandEnd {
    return this.#hasMarks ? 'marks' : 'quiet'
  }

  start(): void {
    this.#isWaiting = true
  }

  stop(): void {
    this.#isWaiting = false
    clearTimeout(this.#timer)
  }

  /** The shell has set a mark. @param kind A and B around its prompt, C before a command, D after it */
  mark(kind: string): void {
    this.#hasMarks = true
    clearTimeout(this.#timer)
    if (kind === 'A' || kind === 'D') this.over()
  }

  /** Something was printed. */
  printed(): void {
    if (!this.#isWaiting || this.#hasMarks) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.over(), quietSeconds * 1000)
  }

  /** What was waited for has ended, or its shell. */
  over(): void {
    if (!this.#isWaiting) return
    this.stop()
    this.#onEnd(this.how)
  }
}
