import { createHistogram } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, test } from 'vitest'
import { figure, rounds } from './support/figure.ts'
import type { Condition } from './support/stopwatch.ts'
import { type BareSession, openBareSession, type Site } from './terminal/bareSession.ts'
import { openQuietTerminal, type Sites, startSites } from './terminal/sites.ts'
import { openTerminal, screen, type TerminalPage } from './terminal/terminalPage.ts'

let sites: Sites

beforeAll(async () => {
  sites = await startSites()
})
afterAll(() => sites.end())

const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' }
const clear = { key: 'l', code: 'KeyL', windowsVirtualKeyCode: 76, modifiers: 2 }
const controlC = { key: 'c', code: 'KeyC', windowsVirtualKeyCode: 67, modifiers: 2 }
const letter = { key: 'x', code: 'KeyX', windowsVirtualKeyCode: 88, text: 'x' }

const onScreen = (text: string): Condition => ({ selector: screen, holds: text, inFrame: true })

test('opening a terminal', async ({ bench }) => {
  const load = async () => {
    const { loadMs, close } = await openTerminal(sites.embedded)
    await close()
    return { overriddenDuration: loadMs }
  }
  const { latency } = await bench('to its prompt', load).run(rounds(5))
  figure('median', latency.p50, 'ms')
})

test('a key, to its letter on screen', async () => {
  const page = await openQuietTerminal(sites.embedded)
  // In microseconds.
  const echoes = createHistogram()
  for (let key = 1; key <= 200; key += 1) {
    const shown = { selector: screen, changed: true, inFrame: true }
    echoes.record(Math.round(1000 * (await page.time('keydown', shown, () => page.press(letter)))))
    // People type short lines.
    if (key % 40 > 0) continue
    await page.press(controlC)
    await wait(300)
  }
  await page.close()
  const twoFrames = { max: 33, why: 'two frames are what a terminal on the own machine takes as well' }
  figure('median', echoes.percentile(50) / 1000, 'ms', twoFrames)
  figure('95 of 100', echoes.percentile(95) / 1000, 'ms', twoFrames)
})

/** A command that prints much, and what only its last line holds. As it is typed, it does not hold that itself. */
const floods = [
  { command: 'seq 1 $((2 * 1000000))', last: '2000000' },
  {
    command: "seq -f 'line %.0f of a long log with some more words' 1 $((1000 * 1000)); echo all$((7 * 11))7",
    last: 'all777',
  },
]

/** @returns milliseconds from the Enter key to its last line on screen */
async function show(page: TerminalPage, { command, last }: (typeof floods)[number]): Promise<number> {
  await page.press(clear)
  // Else the line that is waited for would still be there.
  await page.until(`!document.querySelector('${screen}').textContent.includes('${last}')`)
  await page.type(command)
  return page.time('keydown', onScreen(last), () => page.press(enter))
}

/** A shell whose prompt has come, without a browser. */
async function openBareShell(site: Site): Promise<BareSession> {
  const session = await openBareSession(site, 'terminal')
  await session.exchange(
    () => {},
    () => true,
  )
  return session
}

/** Takes output until it holds a text. */
function untilPrinted(text: string): (frame: Buffer) => boolean {
  let tail = ''
  return (frame) => {
    tail = (tail + frame.toString('latin1', Math.max(0, frame.length - 256))).slice(-512)
    return tail.includes(text)
  }
}

/** The same over a socket that shows nothing. */
async function printBare(site: Site, { command, last }: (typeof floods)[number]): Promise<number> {
  const session = await openBareShell(site)
  const took = await session.exchange(() => session.socket.send(`${command}\r`), untilPrinted(`\n${last}\r\n`))
  session.close()
  return took
}

const flooding = 'PS1=interrupted; clear; yes'
const floodMs = 3000

/** @returns milliseconds from Ctrl-C to the prompt, after three seconds of `yes` */
async function interruptBare(site: Site): Promise<number> {
  const session = await openBareShell(site)
  const until = performance.now() + floodMs
  await session.exchange(
    () => session.socket.send(`${flooding}\r`),
    () => performance.now() > until,
  )
  const took = await session.exchange(() => session.socket.send('\x03'), untilPrinted('interrupted'))
  session.close()
  return took
}

async function interrupt(page: TerminalPage): Promise<number> {
  await page.type(flooding)
  await page.press(enter)
  await wait(floodMs)
  const took = await page.time('keydown', onScreen('interrupted'), () => page.press(controlC))
  await page.type(`PS1='$ '`)
  await page.press(enter)
  return took
}

/** Runs in the page, once: notes the time between two frames, in ms, in `window.frameGaps`. */
function watchFrames(): void {
  const frameGaps: number[] = []
  let before = performance.now()
  const look = (now: number) => {
    frameGaps.push(now - before)
    before = now
    requestAnimationFrame(look)
  }
  Object.assign(window, { frameGaps })
  requestAnimationFrame(look)
}

/** Gaps between frames while something happens: the longest, in ms, and percent of the time in those over 50 ms. */
async function watchGaps(page: TerminalPage, act: () => Promise<unknown>): Promise<{ longest: number; share: number }> {
  await page.evaluate('frameGaps.length = 0')
  await act()
  const gaps = await page.evaluate<number[]>('frameGaps')
  const sum = (all: number[]) => all.reduce((total, gap) => total + gap, 0)
  return { longest: Math.max(...gaps), share: (100 * sum(gaps.filter((gap) => gap > 50))) / sum(gaps) }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const ways = [
  { way: 'embedded', site: () => sites.embedded },
  { way: 'in front of a server that acknowledges nothing', site: () => sites.relayed },
]

test.for(ways)('floods of output, $way', async ({ site }, { bench }) => {
  const page = await openQuietTerminal(site())
  for (const flood of floods) {
    // The emulator is compiled while it first works.
    await show(page, flood)
    const results = await bench.compare(
      bench('on screen', async () => ({ overriddenDuration: await show(page, flood) })),
      bench('bare client', async () => ({ overriddenDuration: await printBare(site(), flood) })),
      rounds(5),
    )
    const speed = results.get('bare client').latency.p50 / results.get('on screen').latency.p50
    const shell = { min: 0.6, why: 'the shell decides when a flood is over; what nobody could see is left out' }
    figure(`speed of ${flood.command.slice(0, 8)}..., of the bare client`, speed, 'times', shell)
  }
  await page.close()
})

test.for(ways)('frames during a flood, $way', async ({ site }) => {
  const page = await openQuietTerminal(site())
  const [flood] = floods as [(typeof floods)[number]]
  await show(page, flood)
  await page.evaluate(`(${watchFrames})()`)
  const drawn: Awaited<ReturnType<typeof watchGaps>>[] = []
  const idle: typeof drawn = []
  for (let round = 0; round < 5; round += 1) {
    drawn.push(await watchGaps(page, () => show(page, flood)))
    idle.push(await watchGaps(page, () => printBare(site(), flood)))
  }
  await page.close()
  const longest = (all: typeof drawn) => median(all.map((gaps) => gaps.longest))
  const share = (all: typeof drawn) => median(all.map((gaps) => gaps.share))
  const gap = { max: 200, why: 'longer, and a click seems to have been lost' }
  figure('longest time without a frame', longest(drawn), 'ms', gap)
  figure('the same of a page that does nothing, while a bare client reads the flood', longest(idle), 'ms')
  figure('time in gaps over 50 ms', share(drawn), '%', { max: 25, why: 'the page answers in between' })
  figure('the same of the page that does nothing', share(idle), '%')
})

test.for(ways)('Ctrl-C after 3 s of yes, $way', async ({ site }, { bench }) => {
  const page = await openQuietTerminal(site())
  const results = await bench.compare(
    bench('on screen', async () => ({ overriddenDuration: await interrupt(page) })),
    bench('bare client', async () => ({ overriddenDuration: await interruptBare(site()) })),
    rounds(5),
  )
  await page.close()
  const [shown, bare] = [results.get('on screen').latency.p50, results.get('bare client').latency.p50]
  figure('to the prompt', shown, 'ms')
  figure('to the prompt without a browser', bare, 'ms')
  const soon = { max: 100, why: 'the newest lines and the prompt are drawn, and no more' }
  figure('to the prompt, beyond one and a half times the bare client', shown - 1.5 * bare, 'ms', soon)
})
