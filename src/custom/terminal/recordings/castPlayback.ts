import type { Cast } from './cast.ts'
import { type CastScreen, drawEvents, write } from './drawEvents.ts'
import type { Keyframes } from './keyframes.ts'

/** Resets everything that a program has set, and clears the screen. */
const reset = '\x1bc'
/** Bytes of the file that are drawn at once; further ones are drawn from a keyframe, where there is one. */
const drawnAtOnce = 512 * 1024

/** What is needed of the keyframes of a recording. */
export type CastKeyframes = Pick<Keyframes, 'reached' | 'progress' | 'before' | 'stop'>

/** Draws a recording as it was at a time. */
export class CastPlayback {
  readonly #screen: CastScreen
  readonly #keyframes: CastKeyframes
  #cast: Cast
  /** Number of events that are on screen, and that are to be. */
  #drawn = 0
  #wanted = 0
  #at = 0
  #drawing: Promise<void> | undefined
  #isStopped = false

  constructor(screen: CastScreen, cast: Cast, keyframes: CastKeyframes) {
    this.#screen = screen
    this.#cast = cast
    this.#keyframes = keyframes
    this.#screen.setSize({ rows: cast.height, cols: cast.width })
  }

  /** Seconds. */
  get at(): number {
    return this.#at
  }

  get isDrawing(): boolean {
    return this.#drawing !== undefined
  }

  /** Draws what was printed until then; what came later disappears. Resolves when it is on screen, or a later call is. */
  show(at: number): Promise<void> {
    this.#at = at
    this.#wanted = this.#cast.countAt(at)
    this.#drawing ??= this.#draw().finally(() => {
      this.#drawing = undefined
    })
    return this.#drawing
  }

  /** The same recording with other times: what is on screen stays. */
  replace(cast: Cast): void {
    this.#cast = cast
    this.#at = cast.timeOf(this.#wanted - 1)
  }

  stop(): void {
    this.#isStopped = true
    this.#keyframes.stop()
  }

  async #draw(): Promise<void> {
    while (this.#drawn !== this.#wanted && !this.#isStopped) {
      const wanted = this.#wanted
      if (wanted < this.#drawn || this.#bytesTo(wanted) > drawnAtOnce) await this.#goNear(wanted)
      while (wanted === this.#wanted && this.#drawn < wanted && !this.#isStopped) {
        this.#drawn = await drawEvents(this.#screen, this.#cast, this.#drawn, wanted)
      }
    }
  }

  #bytesTo(count: number): number {
    return this.#cast.offsetOf(count) - this.#cast.offsetOf(this.#drawn)
  }

  /** Draws the last keyframe before, once it is there. */
  async #goNear(wanted: number): Promise<void> {
    while (this.#keyframes.reached < wanted && wanted === this.#wanted && !this.#isStopped) {
      await this.#keyframes.progress()
    }
    if (wanted !== this.#wanted || this.#isStopped) return
    const frame = this.#keyframes.before(wanted)
    if (wanted >= this.#drawn && (!frame || frame.count <= this.#drawn)) return
    const { cols, rows, state, count } = frame ?? {
      cols: this.#cast.width,
      rows: this.#cast.height,
      state: '',
      count: 0,
    }
    await write(this.#screen, reset)
    this.#screen.setSize({ cols, rows })
    await write(this.#screen, state)
    this.#drawn = count
  }
}
