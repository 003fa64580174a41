import type { Condition } from '../console/stopwatch.ts'
import type { Site } from '../console/visit.ts'
import { ratios } from '../report/report.ts'
import { openBareSession } from './bareSession.ts'
import type { Report } from './budgets.ts'
import { rowsOfScreen } from './keys.ts'
import { openPlainTerminal, type PlainTerminal } from './plainTerminal.ts'

const last = 2_000_000
/** As it is written, it holds no such number itself. */
const command = 'seq 1 $((2 * 1000000))'
const rounds = 5
/** No other line contains it: no number begins with a zero. */
const lastLine: Condition = { selector: rowsOfScreen, holds: String(last), inFrame: true }

/** A flood of output: from the shell, over a bare socket, and from memory into the same terminal. */
export async function measureOutput(site: Site, report: Report): Promise<void> {
  const page = await openPlainTerminal(site)
  await waitFor(page, `document.querySelector('${rowsOfScreen}')?.textContent.trim()`)
  // The shell hears its first size after a second and a half, and draws its prompt again.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 2500))')
  // The emulator is compiled while it first works: from memory it would never be measured cold.
  await page.time('keydown', lastLine, async () => {
    await page.page('Input.insertText', { text: command })
    await press(page, keys.enter)
  })
  const takes: number[] = []
  const gaps: number[] = []
  const remembered: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await clear(page)
    await page.page('Input.insertText', { text: command })
    const endWatch = await watchFrames(page)
    takes.push(await page.time('keydown', lastLine, () => press(page, keys.enter)))
    gaps.push(await endWatch())
    remembered.push(await writeFromMemory(page))
    bare.push(await printBare(site))
  }
  await page.close()
  report.add('outputMs', takes)
  report.add('outputMs', remembered, 'from memory')
  report.add('outputMs', bare, 'bare client')
  report.add('outputRatio', ratios(remembered, takes))
  report.add('outputRatio', ratios(remembered, bare), 'bare client')
  report.add('shellRatio', ratios(bare, takes))
  report.add('gapMs', Math.max(...gaps))
}

/** Watches the page's frames. @returns what ends it and tells the longest time between two of them, in ms */
async function watchFrames(page: PlainTerminal): Promise<() => Promise<number>> {
  await page.evaluate(
    `(${() => {
      const frames = { longest: 0, isOver: false }
      Object.assign(window, { frames_: frames })
      let before = performance.now()
      const look = (now: number) => {
        frames.longest = Math.max(frames.longest, now - before)
        before = now
        if (!frames.isOver) requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }})()`,
  )
  return () => page.evaluate<number>('frames_.isOver = true, frames_.longest')
}

/** Writes the same bytes into the same terminal, all at hand from the start. */
async function writeFromMemory(page: PlainTerminal): Promise<number> {
  await clear(page)
  await page.evaluate(
    `(${(highest: number) => {
      type Fibre = { memoizedProps?: { pane?: { screen?: Writable } }; return: Fibre | null }
      type Writable = { write(bytes: Uint8Array, done: () => void): void }
      // A terminal in a built page has no name; the component that shows it does.
      const place = document.querySelector('.xterm')?.parentElement as unknown as Record<string, Fibre | null>
      let fibre = place[Object.keys(place).find((key) => key.startsWith('__reactFiber$')) ?? ''] ?? null
      while (fibre && !fibre.memoizedProps?.pane?.screen) fibre = fibre.return
      const screen = fibre?.memoizedProps?.pane?.screen
      if (!screen) throw new Error('The terminal of the page was not found.')
      let text = ''
      for (let number = 1; number <= highest; number += 1) text += `${number}\r\n`
      const bytes = new TextEncoder().encode(text)
      const step = 32 * 1024
      const write = () => {
        for (let at = 0; at < bytes.length; at += step) screen.write(bytes.subarray(at, at + step), () => {})
      }
      addEventListener('keydown', write, { capture: true, once: true })
    }})(${last})`,
  )
  return page.time('keydown', lastLine, () => press(page, keys.shift))
}

/** Else the line that is waited for would still be there. */
async function clear(page: PlainTerminal): Promise<void> {
  await page.evaluate(`document.querySelector('.xterm-helper-textarea').focus()`)
  await press(page, keys.clear)
  await waitFor(page, `!document.querySelector('${rowsOfScreen}').textContent.includes('${last}')`)
}

const keys = {
  enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  shift: { key: 'Shift', code: 'ShiftLeft', windowsVirtualKeyCode: 16 },
  clear: { key: 'l', code: 'KeyL', windowsVirtualKeyCode: 76, modifiers: 2 },
}

async function press(page: PlainTerminal, key: object): Promise<void> {
  await page.page('Input.dispatchKeyEvent', { type: 'keyDown', ...key })
  await page.page('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
}

/** @param expression of the page, asked for until it is true */
const waitFor = (page: PlainTerminal, expression: string) =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => (${expression}) ? resolve(true) : setTimeout(look, 50)
    look()
  })`)

async function printBare(site: Site): Promise<number> {
  const session = await openBareSession(site, 'terminal')
  await session.exchange(
    () => {},
    () => true,
  )
  let tail = ''
  const took = await session.exchange(
    () => session.socket.send(`${command}\r`),
    (frame) => {
      tail = (tail + frame.toString('latin1', Math.max(0, frame.length - 64))).slice(-128)
      return tail.includes(`\n${last}\r\n`)
    },
  )
  session.close()
  return took
}
