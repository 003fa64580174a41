import { Unicode11Addon } from '@xterm/addon-unicode11'
import { Terminal } from '@xterm/xterm'
import { afterEach, expect, it } from 'vitest'
import { readCast } from '../../../src/custom/terminal/recordings/cast.ts'
import { CastPlayback } from '../../../src/custom/terminal/recordings/castPlayback.ts'
import { Keyframes } from '../../../src/custom/terminal/recordings/keyframes.ts'

const opened: { dispose(): void }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.dispose()
})

/** A screen as the player has it, and everything that can be seen on it. */
function createScreen() {
  const terminal = new Terminal({ allowProposedApi: true, scrollback: 200 })
  opened.push(terminal)
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  return {
    write: (text: string | Uint8Array, done: () => void) => terminal.write(text, done),
    setSize: ({ rows, cols }: { rows: number; cols: number }) => terminal.resize(cols, rows),
    seen() {
      const { active } = terminal.buffer
      const lines = Array.from({ length: terminal.rows }, (_, y) => {
        const line = active.getLine(active.baseY + y)
        return Array.from({ length: terminal.cols }, (_, x) => {
          const cell = line?.getCell(x)
          if (!cell) return ''
          const colours = [cell.getFgColor(), cell.isFgRGB(), cell.getBgColor(), cell.isBgRGB()].map(Number)
          const styles = [cell.isBold(), cell.isInverse(), cell.isUnderline(), cell.isItalic()].map(Boolean).map(Number)
          return `${cell.getChars() || ' '}${[...colours, ...styles].join('')}`
        }).join('')
      })
      return [active.type, active.cursorX, active.cursorY, terminal.cols, terminal.rows, ...lines].join('\n')
    },
  }
}

/** Ten minutes of a shell, of a program that draws all of the screen bit by bit, and of a smaller window. */
function recorded(): string {
  const events: string[] = []
  const add = (code: string, data: string) => events.push(JSON.stringify([events.length / 10, code, data]))
  for (let line = 0; line < 4000; line += 1) {
    add('o', `\x1b[1;3${line % 8}mline ${line}\x1b[0m 漢字 ${'wraps around '.repeat(8)}\r\n`)
  }
  // Its frame is drawn once; what changes later is a cell here and there.
  add('o', '\x1b[?1049h\x1b[H\x1b[2J\x1b[48;2;10;20;30m frame of a program \x1b[K\x1b[0m\x1b[2;20r\x1b[?25l')
  for (let step = 0; step < 12_000; step += 1) {
    add('o', `\x1b[${2 + (step % 18)};${1 + (step % 60)}H\x1b[7;4m${step}\x1b[0m`)
  }
  add('r', '60x20')
  add('o', '\x1b[r\x1b[?1049l\x1b[?25h\x1b[38;5;208mback again')
  for (let line = 0; line < 8000; line += 1) add('o', `\r\nlast ${line} ${'.'.repeat(line % 70)}`)
  return `{"version":2,"width":80,"height":24}\n${events.join('\n')}\n`
}

it('shows after a jump what is there after playing to the same time, also in the middle of a full-screen program', async () => {
  const cast = readCast(new TextEncoder().encode(recorded()))
  const keyframes = new Keyframes(cast)
  const [jumped, played] = [createScreen(), createScreen()]
  const jumping = new CastPlayback(jumped, cast, keyframes)
  const playing = new CastPlayback(played, cast, {
    reached: Number.POSITIVE_INFINITY,
    hold: () => {},
    progress: () => Promise.resolve(),
    before: () => undefined,
    stop: () => {},
  })
  opened.push({ dispose: () => jumping.stop() })
  // All of it first, so that each jump goes back to a keyframe.
  await jumping.show(cast.duration)
  await jumping.settled()
  for (const at of [300, 399.9, 400, 900, 1500, 1600, 1600.1, 1601, 2000, cast.duration]) {
    await jumping.show(0)
    await jumping.show(at)
    await playing.show(at)
    expect(jumped.seen(), `at ${at}`).toBe(played.seen())
  }
  expect(keyframes.before(cast.count)?.count).toBeGreaterThan(20_000)
})
