import { Unicode11Addon } from '@xterm/addon-unicode11'
import { type IBuffer, type IBufferCell, Terminal } from '@xterm/xterm'
import { EscapeScanner } from '../../../domain/terminal/escapeScanner.ts'
import { SkippedModes } from '../../../domain/terminal/skippedModes.ts'
import type { Screen } from '../screen/screen.ts'
import { type Cast, sizeOf } from './cast.ts'

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

/** What a recording is drawn on. */
export type CastScreen = Pick<Screen, 'write' | 'setSize'>

/** The emulator lets the page draw a frame only between two writes. */
const writeBytes = 16 * 1024
/** Bytes that wait in the emulator at once. */
const batchBytes = 128 * 1024

/**
 * Draws events in order: as many as the emulator takes at once, or up to a change of size.
 * @param to where to end in any case
 * @returns the event that comes next, once the others are on screen
 */
export async function drawEvents(screen: CastScreen, cast: Cast, from: number, to: number): Promise<number> {
  const end = cast.offsetOf(from) + batchBytes
  for (let next = from; ; ) {
    const writeEnd = cast.offsetOf(next) + writeBytes
    let text = ''
    let size: ReturnType<typeof sizeOf>
    for (; next < to && cast.offsetOf(next) < writeEnd && !size; next += 1) {
      const { kind, data } = cast.event(next)
      if (kind === 'output') text += data
      else size = sizeOf(data)
    }
    if (next < to && cast.offsetOf(next) < end && !size) {
      screen.write(text, () => {})
      continue
    }
    await write(screen, text)
    if (size) screen.setSize(size)
    return next
  }
}

/** Resolves when it is on screen. */
export const write = (screen: CastScreen, text: string): Promise<void> =>
  new Promise((resolve) => screen.write(text, resolve))

/** Lines above the screen that are drawn again as well. */
const linesAbove = 200

/**
 * Output that draws on an empty screen of the same size what a screen shows now, with its cursor.
 * @param modes output that sets modes, region and colours as they are now; it may move the cursor
 */
function drawnState({ buffer, rows }: Terminal, modes: string): string {
  const { normal, alternate, active } = buffer
  const first = Math.max(0, normal.baseY - linesAbove)
  const above = drawLines(normal, first, normal.baseY + rows)
  if (active.type === 'normal') return above + modes + cursorTo(normal)
  return `${above}${cursorTo(normal)}\x1b[?1049h\x1b[H${drawLines(alternate, 0, rows)}${modes}${cursorTo(alternate)}`
}

const cursorTo = ({ cursorX, cursorY }: IBuffer) => `\x1b[${cursorY + 1};${cursorX + 1}H`

function drawLines(buffer: IBuffer, from: number, to: number): string {
  const cell = buffer.getNullCell()
  // Joined at the end: a text that grows by characters takes twenty times its length.
  const parts: string[] = []
  let style = plain
  for (let y = from; y < to; y += 1) {
    const line = buffer.getLine(y)
    if (!line) continue
    if (y > from && !line.isWrapped) parts.push('\r\n')
    // What goes on in the next line fills this one.
    const isFull = buffer.getLine(y + 1)?.isWrapped === true && y + 1 < to
    let end = line.length
    while (!isFull && end > 0 && isEmpty(line.getCell(end - 1, cell))) end -= 1
    for (let x = 0; x < end; x += 1) {
      const drawn = line.getCell(x, cell)
      if (!drawn || drawn.getWidth() === 0) continue
      const next = styleOf(drawn)
      if (next !== style) parts.push(`\x1b[${next}m`)
      style = next
      parts.push(drawn.getChars() || ' ')
    }
  }
  if (style !== plain) parts.push(`\x1b[${plain}m`)
  return parts.join('')
}

const isEmpty = (cell: IBufferCell | undefined) =>
  cell === undefined || (cell.getChars() === '' && cell.getWidth() > 0 && styleOf(cell) === plain)

const plain = '0'

/** The numbers of the sequence that sets the style of a character. */
function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return plain
  const colour = (kind: 38 | 48, value: number, isRgb: boolean, isPalette: boolean) => {
    if (isRgb) return [`${kind};2;${(value >> 16) & 255};${(value >> 8) & 255};${value & 255}`]
    return isPalette ? [`${kind};5;${value}`] : []
  }
  const flags = [
    [1, cell.isBold()],
    [2, cell.isDim()],
    [3, cell.isItalic()],
    [4, cell.isUnderline()],
    [5, cell.isBlink()],
    [7, cell.isInverse()],
    [8, cell.isInvisible()],
    [9, cell.isStrikethrough()],
    [53, cell.isOverline()],
  ]
  return [
    plain,
    ...flags.flatMap(([number, isSet]) => (isSet ? [number] : [])),
    ...colour(38, cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette()),
    ...colour(48, cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette()),
  ].join(';')
}
