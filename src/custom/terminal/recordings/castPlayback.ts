import type { Cast } from './cast.ts'
import { type CastScreen, drawEvents, type Keyframe, type Keyframes, write } from './keyframes.ts'

/** Resets everything that a program has set, and clears the screen. */
const reset = '\x1bc'
/** Bytes of the file that are drawn at once; further ones are drawn from a keyframe, where there is one. */
const drawnAtOnce = 512 * 1024
/** Bytes of the file that fill a screen, where it scrolls. */
const roughBytes = 64 * 1024

/** What is needed of the keyframes of a recording. */
export type CastKeyframes = Pick<Keyframes, 'reached' | 'hold' | 'progress' | 'before' | 'stop'>

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
  #refining: Promise<void> | undefined
  /** Whether what is on screen was drawn without what came before. */
  #isRough = false
  #hasToRedraw = false
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
      this.#keyframes.hold(false)
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

  /** Resolves when what is on screen was drawn from a keyframe, or from the beginning. */
  async settled(): Promise<void> {
    await this.#refining
  }

  async #draw(): Promise<void> {
    while ((this.#drawn !== this.#wanted || this.#hasToRedraw) && !this.#isStopped) {
      const wanted = this.#wanted
      if (this.#hasToRedraw || wanted < this.#drawn || this.#bytesTo(wanted) > drawnAtOnce) await this.#goNear(wanted)
      while (wanted === this.#wanted && this.#drawn < wanted && !this.#isStopped) {
        this.#drawn = await drawEvents(this.#screen, this.#cast, this.#drawn, wanted)
      }
    }
  }

  #bytesTo(count: number): number {
    return this.#cast.offsetOf(count) - this.#cast.offsetOf(this.#drawn)
  }

  /** Draws the last keyframe before; where there are none yet, what was printed shortly before, which scrolls by. */
  async #goNear(wanted: number): Promise<void> {
    this.#keyframes.hold(true)
    const mustRedraw = this.#hasToRedraw || wanted < this.#drawn
    this.#hasToRedraw = false
    if (this.#keyframes.reached < wanted) {
      const count = this.#cast.countBefore(this.#cast.offsetOf(wanted) - roughBytes)
      this.#isRough = count > 0
      if (this.#isRough) this.#refining ??= this.#refine()
      return this.#begin({ ...this.#cast.sizeAfter(count), state: '', count })
    }
    const frame = this.#keyframes.before(wanted)
    if (!mustRedraw && !this.#isRough && (!frame || frame.count <= this.#drawn)) return
    this.#isRough = false
    await this.#begin(frame ?? { ...this.#cast.sizeAfter(0), state: '', count: 0 })
  }

  async #begin({ cols, rows, state, count }: Keyframe): Promise<void> {
    await write(this.#screen, reset)
    this.#screen.setSize({ cols, rows })
    await write(this.#screen, state)
    this.#drawn = count
  }

  /** Draws it again from a keyframe, once there is one. */
  async #refine(): Promise<void> {
    while (this.#isRough && this.#keyframes.reached < this.#wanted && !this.#isStopped) {
      await this.#keyframes.progress()
    }
    this.#refining = undefined
    if (!this.#isRough || this.#isStopped) return
    this.#hasToRedraw = true
    await this.show(this.#at)
  }
}
