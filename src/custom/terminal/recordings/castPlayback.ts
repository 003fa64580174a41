import type { Screen } from '../screen/screen.ts'
import { type Cast, sizeOf } from './cast.ts'

/** Resets everything that a program has set, and clears the screen. */
const reset = '\x1bc'

/** Draws a recording as far as a time. */
export class CastPlayback {
  readonly #screen: Pick<Screen, 'write' | 'setSize'>
  #cast: Cast
  #next = 0
  #at = 0

  constructor(screen: Pick<Screen, 'write' | 'setSize'>, cast: Cast) {
    this.#screen = screen
    this.#cast = cast
    this.#begin()
  }

  /** Seconds. */
  get at(): number {
    return this.#at
  }

  /** Draws what was printed until then; what came later disappears. */
  show(at: number): void {
    if (at < this.#at) this.#begin()
    const { events } = this.#cast
    let text = ''
    for (let event = events[this.#next]; event && event.at <= at; event = events[this.#next]) {
      this.#next += 1
      if (event.kind === 'output') text += event.data
      else {
        this.#write(text)
        text = ''
        const size = sizeOf(event.data)
        if (size) this.#screen.setSize(size)
      }
    }
    this.#write(text)
    this.#at = at
  }

  /** The same recording with other times: what is on screen stays. */
  replace(cast: Cast): void {
    const shown = cast.events[this.#next - 1]?.at ?? 0
    this.#cast = cast
    this.#at = shown
  }

  #begin(): void {
    this.#next = 0
    this.#at = 0
    this.#write(reset)
    this.#screen.setSize({ rows: this.#cast.height, cols: this.#cast.width })
  }

  #write(text: string): void {
    if (text !== '') this.#screen.write(text, () => {})
  }
}
