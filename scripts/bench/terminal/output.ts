import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Condition } from '../console/stopwatch.ts'
import type { Site } from '../console/visit.ts'
import { ratios } from '../report/report.ts'
import { openBareSession } from './bareSession.ts'
import type { Report, Way } from './budgets.ts'
import { rowsOfScreen } from './keys.ts'
import { openPlainTerminal, type PlainTerminal } from './plainTerminal.ts'

const rounds = 5
const highest = 2_000_000
const catBytes = 50_000_000
/** How long `yes` prints before it is interrupted, in ms. */
const floodMs = 3000
const prompt = 'interrupted'

/** A command that prints much, and what only its last line holds. As it is typed, it does not hold that itself. */
interface Flood {
  command: string
  last: string
}

/** Floods of output: from the shell to the screen, over a bare socket, and from memory into the same terminal. */
export async function measureOutput(site: Site, folder: string, way: Way, report: Report): Promise<void> {
  const seq = { command: 'seq 1 $((2 * 1000000))', last: String(highest) }
  const cat = { command: `cat ${writeLog(folder)}`, last: 'this was all' }
  const page = await openPlainTerminal(site)
  await waitFor(page, `document.querySelector('${rowsOfScreen}')?.textContent.trim()`)
  // The shell gets its first size after a second and a half, and draws its prompt again.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 2500))')
  // The emulator is compiled while it first works: from memory it would never be measured cold.
  await show(page, seq)
  const takes = { seq: [] as number[], cat: [] as number[], stop: [] as number[] }
  const bare = { seq: [] as number[], cat: [] as number[], stop: [] as number[] }
  const gaps: number[] = []
  const remembered: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const endWatch = await watchFrames(page)
    takes.seq.push(await show(page, seq))
    gaps.push(await endWatch())
    if (way === 'embedded') remembered.push(await writeFromMemory(page))
    bare.seq.push(await printBare(site, seq))
    takes.cat.push(await show(page, cat))
    bare.cat.push(await printBare(site, cat))
    takes.stop.push(await interrupt(page))
    bare.stop.push(await interruptBare(site))
  }
  await page.close()
  const relayed = way === 'relay'
  report.add(relayed ? 'relayOutputMs' : 'outputMs', takes.seq)
  report.add(relayed ? 'relayOutputMs' : 'outputMs', bare.seq, 'bare client')
  report.add(relayed ? 'relayShellRatio' : 'shellRatio', ratios(bare.seq, takes.seq))
  report.add(relayed ? 'relayCatMs' : 'catMs', takes.cat)
  report.add(relayed ? 'relayCatMs' : 'catMs', bare.cat, 'bare client')
  report.add(relayed ? 'relayCatRatio' : 'catRatio', ratios(bare.cat, takes.cat))
  report.add(relayed ? 'relayInterruptMs' : 'interruptMs', takes.stop)
  report.add(relayed ? 'relayInterruptMs' : 'interruptMs', bare.stop, 'bare client')
  report.add(relayed ? 'relayGapMs' : 'gapMs', Math.max(...gaps))
  if (relayed) return
  report.add('outputMs', remembered, 'from memory')
  report.add('outputRatio', ratios(remembered, takes.seq))
  report.add('outputRatio', ratios(remembered, bare.seq), 'bare client')
}

/** Writes a log of 50 MB, its lines as long as those of servers. @returns its path */
function writeLog(folder: string): string {
  const path = join(folder, 'log.txt')
  const file = openSync(path, 'w')
  for (let size = 0, number = 0; size < catBytes; ) {
    let text = ''
    for (let line = 0; line < 1000; line += 1, number += 1) {
      const time = new Date(1_700_000_000_000 + number * 137).toISOString()
      text += `${time} web-${number % 7} GET /api/v1/server?page=${number % 90} 200 ${(number * 7919) % 4000} us\n`
    }
    writeSync(file, text)
    size += text.length
  }
  writeSync(file, 'this was all\n')
  closeSync(file)
  return path
}

const onScreen = (text: string): Condition => ({ selector: rowsOfScreen, holds: text, inFrame: true })

/** Runs a command on a clear screen. @returns milliseconds from the Enter key to its last line on screen */
async function show(page: PlainTerminal, { command, last }: Flood): Promise<number> {
  await clear(page, last)
  await page.page('Input.insertText', { text: command })
  return page.time('keydown', onScreen(last), () => press(page, keys.enter))
}

/** Interrupts `yes` after a while. @returns milliseconds from Ctrl-C to the prompt on screen */
async function interrupt(page: PlainTerminal): Promise<number> {
  await page.page('Input.insertText', { text: `PS1=${prompt}; clear; yes` })
  await press(page, keys.enter)
  await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${floodMs}))`)
  const took = await page.time('keydown', onScreen(prompt), () => press(page, keys.interrupt))
  await page.page('Input.insertText', { text: `PS1='$ '` })
  await press(page, keys.enter)
  return took
}

/** Watches the page's frames. @returns a function that stops it and gives the longest pause between two, in ms */
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

/** Writes the output of `seq` into the same terminal, all at hand from the start. */
async function writeFromMemory(page: PlainTerminal): Promise<number> {
  await clear(page, String(highest))
  await page.evaluate(
    `(${(last: number) => {
      type Fibre = { memoizedProps?: { pane?: { screen?: Writable } }; return: Fibre | null }
      type Writable = { write(bytes: Uint8Array, done: () => void): void }
      // A terminal in a built page has no name; the component that shows it does.
      const place = document.querySelector('.xterm')?.parentElement as unknown as Record<string, Fibre | null>
      let fibre = place[Object.keys(place).find((key) => key.startsWith('__reactFiber$')) ?? ''] ?? null
      while (fibre && !fibre.memoizedProps?.pane?.screen) fibre = fibre.return
      const screen = fibre?.memoizedProps?.pane?.screen
      if (!screen) throw new Error('The terminal of the page was not found.')
      let text = ''
      for (let number = 1; number <= last; number += 1) text += `${number}\r\n`
      const bytes = new TextEncoder().encode(text)
      const step = 32 * 1024
      const write = () => {
        for (let at = 0; at < bytes.length; at += step) screen.write(bytes.subarray(at, at + step), () => {})
      }
      addEventListener('keydown', write, { capture: true, once: true })
    }})(${highest})`,
  )
  return page.time('keydown', onScreen(String(highest)), () => press(page, keys.shift))
}

/** Else the line that is waited for would still be there. */
async function clear(page: PlainTerminal, last: string): Promise<void> {
  await page.evaluate(`document.querySelector('.xterm-helper-textarea').focus()`)
  await press(page, keys.clear)
  await waitFor(page, `!document.querySelector('${rowsOfScreen}').textContent.includes('${last}')`)
}

const keys = {
  enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  shift: { key: 'Shift', code: 'ShiftLeft', windowsVirtualKeyCode: 16 },
  clear: { key: 'l', code: 'KeyL', windowsVirtualKeyCode: 76, modifiers: 2 },
  interrupt: { key: 'c', code: 'KeyC', windowsVirtualKeyCode: 67, modifiers: 2 },
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

/** What a bare session has just received, in which a text is looked for. */
function createTail(text: string): (frame: Buffer) => boolean {
  let tail = ''
  return (frame) => {
    tail = (tail + frame.toString('latin1', Math.max(0, frame.length - 256))).slice(-512)
    return tail.includes(text)
  }
}

async function openShell(site: Site) {
  const session = await openBareSession(site, 'terminal')
  await session.exchange(
    () => {},
    () => true,
  )
  return session
}

async function printBare(site: Site, { command, last }: Flood): Promise<number> {
  const session = await openShell(site)
  const took = await session.exchange(() => session.socket.send(`${command}\r`), createTail(`\n${last}\r\n`))
  session.close()
  return took
}

async function interruptBare(site: Site): Promise<number> {
  const session = await openShell(site)
  let begun = Number.POSITIVE_INFINITY
  await session.exchange(
    () => session.socket.send(`PS1=${prompt}; clear; yes\r`),
    () => {
      begun = Math.min(begun, performance.now())
      return performance.now() - begun > floodMs
    },
  )
  const took = await session.exchange(() => session.socket.send('\x03'), createTail(prompt))
  session.close()
  return took
}
