import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, test } from 'vitest'
import { encodeListRequest } from '../../src/schemas/frames/file.ts'
import { type ServerProcess, spawnServer } from '../../tests/support/server/process/spawnServer.ts'
import { ensureBuilt } from '../bootstrap/build.mjs'
import { signIn } from '../soak/api.ts'
import { figure, rounds } from './support/figure.ts'
import { residentMib } from './support/processorTime.ts'
import type { Condition } from './support/stopwatch.ts'
import { openBareSession, type Site } from './terminal/bareSession.ts'
import { openTerminal, screen, type TerminalPage } from './terminal/terminalPage.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wheelhouse-bench-terminal-')))
const credentials = { username: 'admin', password: 'only for benches' }
let server: ServerProcess
let relay: Worker
let embedded: Site
let relayed: Site

async function siteAt(address: string): Promise<Site> {
  const headers = (await signIn(address, credentials)).headers()
  return { address, headers, cookie: headers.cookie ?? '' }
}

beforeAll(async () => {
  await ensureBuilt(process.execPath)
  server = await spawnServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: credentials.password })
  relay = new Worker(new URL('terminal/relay.ts', import.meta.url), { workerData: server.address })
  const [address] = (await once(relay, 'message')) as [string]
  embedded = await siteAt(server.address)
  relayed = await siteAt(address)
})

afterAll(async () => {
  await relay.terminate()
  server.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' }
const clear = { key: 'l', code: 'KeyL', windowsVirtualKeyCode: 76, modifiers: 2 }
const interrupt = { key: 'c', code: 'KeyC', windowsVirtualKeyCode: 67, modifiers: 2 }
const letter = { key: 'x', code: 'KeyX', windowsVirtualKeyCode: 88, text: 'x' }

const onScreen = (text: string): Condition => ({ selector: screen, holds: text, inFrame: true })

/** The shell gets its first size after a second and a half, and draws its prompt again. */
async function openQuietTerminal(site: Site): Promise<TerminalPage> {
  const page = await openTerminal(site)
  await page.evaluate(`document.querySelector('.xterm-helper-textarea').focus()`)
  await wait(2500)
  return page
}

test('opening a terminal', async ({ bench }) => {
  const load = async () => {
    const { loadMs, close } = await openTerminal(embedded)
    await close()
    return { overriddenDuration: loadMs }
  }
  const { latency } = await bench('to its prompt', load).run(rounds(5))
  figure('median', latency.p50, 'ms')
})

test('a key, to its letter on screen', async () => {
  const page = await openQuietTerminal(embedded)
  // In microseconds.
  const echoes = createHistogram()
  for (let key = 1; key <= 200; key += 1) {
    const shown = { selector: screen, changed: true, inFrame: true }
    echoes.record(Math.round(1000 * (await page.time('keydown', shown, () => page.press(letter)))))
    // People type short lines.
    if (key % 40 > 0) continue
    await page.press(interrupt)
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
    command: "seq -f 'line %.0f of a long log with some more words' 1 $((1000 * 1000)); echo $((7 * 11))7",
    last: '777',
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

/** The same over a socket that shows nothing. */
async function printBare(site: Site, { command, last }: (typeof floods)[number]): Promise<number> {
  const session = await openBareSession(site, 'terminal')
  await session.exchange(
    () => {},
    () => true,
  )
  let tail = ''
  const took = await session.exchange(
    () => session.socket.send(`${command}\r`),
    (frame) => {
      tail = (tail + frame.toString('latin1', Math.max(0, frame.length - 256))).slice(-512)
      return tail.includes(`\n${last}\r\n`)
    },
  )
  session.close()
  return took
}

const sites = [
  { way: 'embedded', site: () => embedded, promptMs: 300 },
  { way: 'behind a server that acknowledges nothing', site: () => relayed, promptMs: 1000 },
]

test.for(sites)('floods of output, $way', async ({ site, promptMs }, { bench }) => {
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
  await page.evaluate(`(${watchFrames})()`)
  await show(page, floods[0] as (typeof floods)[number])
  const gap = { max: 200, why: 'longer, and a click seems to have been lost' }
  figure('longest time without a frame', await page.evaluate('longestFrame'), 'ms', gap)
  const stop = async () => {
    await page.type('PS1=interrupted; clear; yes')
    await page.press(enter)
    await wait(3000)
    const took = await page.time('keydown', onScreen('interrupted'), () => page.press(interrupt))
    await page.type(`PS1='$ '`)
    await page.press(enter)
    return { overriddenDuration: took }
  }
  const { latency } = await bench('Ctrl-C', stop).run(rounds(5))
  const soon = { max: promptMs, why: 'what was under way is left out, and the shell stops at once' }
  figure('from Ctrl-C after 3 s of yes to the prompt', latency.p50, 'ms', soon)
  await page.close()
})

/** Runs in the page. */
function watchFrames(): void {
  let before = performance.now()
  Object.assign(window, { longestFrame: 0 })
  const frames = window as unknown as { longestFrame: number }
  const look = (now: number) => {
    frames.longestFrame = Math.max(frames.longestFrame, now - before)
    before = now
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Content that no file system can compress or share: no two blocks of it are the same. */
async function writeLarge(path: string, size: number): Promise<void> {
  const piece = Buffer.from(Array.from({ length: 2 ** 20 }, (_, at) => (at * 2_654_435_761) >>> 24))
  const file = await open(path, 'w')
  for (let written = 0; written < size; written += piece.length) {
    piece.writeUInt32BE(written / piece.length)
    await file.write(piece)
  }
  await file.close()
}

/** Opens the file panel in a folder. @returns milliseconds from the click to its first rows */
async function openPanel(page: TerminalPage, path: string): Promise<number> {
  const rows = { selector: '[role=grid] [role=row]' }
  const took = await page.time('click', rows, () => page.click('button[aria-label="Files"]'))
  await page.click('button[aria-label="More"]')
  await page.until(`document.querySelector('[role=menuitem]')`)
  await page.evaluate(
    `[...document.querySelectorAll('[role=menuitem]')].find((one) => one.textContent === 'Go to').click()`,
  )
  await page.until(`document.querySelector('[role=dialog] form input')`)
  await page.evaluate(`document.querySelector('[role=dialog] form input').select()`)
  await page.type(path)
  await page.click('[role=dialog] form button[type=submit]')
  await page.until(`document.querySelector('[role=grid][aria-label=${JSON.stringify(`Files in ${path}`)}]')`)
  return took
}

test('a folder of 5,000 entries', async ({ bench }) => {
  const path = join(folder, 'many')
  mkdirSync(path)
  for (let number = 1; number <= 5000; number += 1) writeFileSync(join(path, `report-${number}.log`), '')
  const page = await openQuietTerminal(embedded)
  const panel = { max: 150, why: 'an existing console takes 133' }
  figure('file panel opened, to its first rows', await openPanel(page, folder), 'ms', panel)
  const list = async () => {
    const row = { selector: '[role=grid] [role=row]', holds: 'report-1.log' }
    const took = await page.time('click', row, () => page.click('[role=row]:has([title=many])'))
    await page.click('[role=row]:has([title=".."]), button[aria-label="Parent folder"]')
    await page.until(`document.querySelector('[role=row]:has([title=many])')`)
    return { overriddenDuration: took }
  }
  const session = await openBareSession(embedded, 'file')
  const listBare = async () => ({
    overriddenDuration: await session.exchange(
      () => session.socket.send(encodeListRequest(path)),
      () => true,
    ),
  })
  const results = await bench.compare(bench('on screen', list), bench('bare client', listBare), rounds(7, 1))
  session.close()
  await page.close()
  const took = results.get('on screen').latency.p50 - results.get('bare client').latency.p50
  figure('first rows, after the reply', took, 'ms', { max: 80, why: 'people take it for "at once"' })
})

test('the memory of a page that downloads 1 GiB', async () => {
  await writeLarge(join(folder, 'huge.bin'), 2 ** 30)
  const page = await openQuietTerminal(embedded)
  await openPanel(page, folder)
  const pid = await workingProcess(page)
  await page.command('HeapProfiler.collectGarbage')
  const before = residentMib(pid)
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentMib(pid))
  }, 100)
  const saved = { selector: 'section[aria-live=polite]', holds: 'Downloaded: huge.bin' }
  const took = await page.time('click', saved, () => page.click('[aria-label="Download huge.bin"]'))
  clearInterval(timer)
  await page.close()
  figure('speed', 2 ** 10 / (took / 1000), 'MiB/s')
  const through = { max: 100, why: 'a file goes through the page, not into it, however long it is' }
  figure('growth at most', most - before, 'MiB', through)
})

/** The process that works while the page does; spare ones only wait. */
async function workingProcess(page: TerminalPage): Promise<number> {
  const before = await page.processorTimes()
  await page.evaluate('for (const until = performance.now() + 500; performance.now() < until; );')
  const worked = [...(await page.processorTimes())].map(([id, time]) => ({ id, time: time - (before.get(id) ?? 0) }))
  return worked.toSorted((a, b) => b.time - a.time)[0]?.id ?? 0
}
