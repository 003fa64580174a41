import { Unicode11Addon } from '@xterm/addon-unicode11'
import { Terminal } from '@xterm/xterm'
import { EscapeScanner } from '../../../domain/terminal/escapeScanner.ts'
import { SkippedModes } from '../../../domain/terminal/skippedModes.ts'
import type { Cast } from './cast.ts'
import { type CastScreen, drawEvents } from './drawEvents.ts'
import { drawnState } from './drawnState.ts'

/** A state of the screen of a recording, from which it can be drawn on. */
export interface Keyframe {
  /** Number of events that it has drawn. */
  count: number
  cols: number
  rows: number
  /** What draws it on an empty screen. */
  state: string
}

/** Bytes of the file from one keyframe to the next: what is drawn beside one after a jump. A few hundredths of a second. */
const everyBytes = 256 * 1024
/** Characters of all keyframes; beyond it every second one is given up. */
const maxCharacters = 16 * 1024 * 1024

/** Enters or leaves the other screen, or saves the cursor for it: the state has that by itself. */
const otherScreen = /^\[\?(?:47|104[789])[hl]$/

/**
 * The keyframes of a recording, made by drawing all of it once on a screen that nobody sees, while it is played.
 */
export class Keyframes {
  readonly #cast: Cast
  readonly #terminal: Terminal
  readonly #scanner = new EscapeScanner()
  readonly #encoder = new TextEncoder()
  #modes = new SkippedModes()
  #frames: Keyframe[] = []
  #everyBytes = everyBytes
  #reached = 0
  #isStopped = false
  #waiting: (() => void)[] = []
  #isHeld = false
  #goOn = () => {}

  constructor(cast: Cast) {
    this.#cast = cast
    const { width: cols, height: rows } = cast
    this.#terminal = new Terminal({ cols, rows, scrollback: 200, allowProposedApi: true })
    // The widths of the screen on which it is played.
    this.#terminal.loadAddon(new Unicode11Addon())
    this.#terminal.unicode.activeVersion = '11'
    void this.#run()
  }

  /** Number of events that were drawn so far. */
  get reached(): number {
    return this.#reached
  }

  /** Draws nothing for a while: a screen that somebody waits for has the processor then. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
    if (!isHeld) this.#goOn()
  }

  /** Resolves when more was drawn. */
  progress(): Promise<void> {
    return this.#isStopped ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** The last one that has drawn no more than so many events. */
  before(count: number): Keyframe | undefined {
    return this.#frames.findLast((frame) => frame.count <= count)
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.hold(false)
    this.#announce()
    this.#terminal.dispose()
  }

  async #run(): Promise<void> {
    const { count } = this.#cast
    let kept = this.#cast.offsetOf(0)
    const screen: CastScreen = {
      write: (text, done) => {
        const bytes = typeof text === 'string' ? this.#encoder.encode(text) : text
        this.#scanner.read(bytes, { onSequence: (sequence) => this.#remember(sequence) })
        this.#terminal.write(bytes, done)
      },
      setSize: ({ cols, rows }) => this.#terminal.resize(cols, rows),
    }
    while (this.#reached < count) {
      this.#reached = await drawEvents(screen, this.#cast, this.#reached, count)
      if (this.#isHeld) {
        await new Promise<void>((resolve) => {
          this.#goOn = resolve
        })
      }
      if (this.#isStopped) return
      const offset = this.#cast.offsetOf(this.#reached)
      const { cols, buffer } = this.#terminal
      // Behind the last column, the next character would be drawn over the last one.
      if (offset - kept >= this.#everyBytes && buffer.active.cursorX < cols) {
        this.#keep()
        kept = offset
      }
      this.#announce()
    }
  }

  #remember(sequence: string): void {
    // After a reset nothing of before counts; the reset itself would clear what the state has drawn.
    if (sequence === 'c' || sequence === '[!p') this.#modes = new SkippedModes()
    else if (!otherScreen.test(sequence)) this.#modes.add(sequence)
  }

  #keep(): void {
    const { cols, rows } = this.#terminal
    const state = drawnState(this.#terminal, this.#modes.text())
    this.#frames.push({ count: this.#reached, cols, rows, state })
    if (this.#frames.reduce((sum, frame) => sum + frame.state.length, 0) <= maxCharacters) return
    this.#frames = this.#frames.filter((_, index) => index % 2 === 1)
    this.#everyBytes *= 2
  }

  #announce(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
