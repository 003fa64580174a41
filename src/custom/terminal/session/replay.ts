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
