import { copyFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import {
  encodeDownloadRequest,
  encodeListRequest,
  encodeUploadRequest,
  fileChunkBytes,
} from '../../src/schemas/frames/file.ts'
import { figure, rounds } from './support/figure.ts'
import { residentMib } from './support/processorTime.ts'
import { openBareSession, type Site } from './terminal/bareSession.ts'
import { openQuietTerminal, type Sites, startSites } from './terminal/sites.ts'
import type { TerminalPage } from './terminal/terminalPage.ts'

let sites: Sites

beforeAll(async () => {
  sites = await startSites()
  await writeLarge(join(sites.folder, 'large.bin'), largeMib * 2 ** 20)
})
afterAll(() => sites.end())

const ways = [
  { way: 'embedded', site: () => sites.embedded },
  { way: 'in front of another server', site: () => sites.relayed },
]

const largeMib = 200

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

/** Opens the file panel. @returns milliseconds from the click to its first folder, which may hold hidden files only */
const openPanel = (page: TerminalPage): Promise<number> =>
  page.time('click', { selector: '[role=grid]' }, () => page.click('button[aria-label="Files"]'))

async function goTo(page: TerminalPage, path: string): Promise<void> {
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
}

/** The first folder without a browser: a session, its socket and one list. */
async function listBareHome(site: Site): Promise<number> {
  const begun = performance.now()
  const session = await openBareSession(site, 'file')
  await session.exchange(
    () => session.socket.send(encodeListRequest('')),
    () => true,
  )
  session.close()
  return performance.now() - begun
}

test.for(ways)('the file panel, and a folder of 5,000 entries, $way', async ({ way, site }, { bench }) => {
  const path = join(sites.folder, way, 'many')
  mkdirSync(path, { recursive: true })
  for (let number = 1; number <= 5000; number += 1) writeFileSync(join(path, `report-${number}.log`), '')
  const openFirst = async () => {
    const page = await openQuietTerminal(site())
    const overriddenDuration = await openPanel(page)
    await page.close()
    return { overriddenDuration }
  }
  const first = await bench.compare(
    bench('panel', openFirst),
    bench('bare client', async () => ({ overriddenDuration: await listBareHome(site()) })),
    rounds(5),
  )
  const panel = { max: 195, why: 'an existing console took 195 and 254 on another machine' }
  figure('file panel opened, to its first folder', first.get('panel').latency.p50, 'ms', panel)

  const page = await openQuietTerminal(site())
  await openPanel(page)
  await goTo(page, join(sites.folder, way))
  const list = async () => {
    const row = { selector: '[role=grid] [role=row]', holds: 'report-1.log' }
    const took = await page.time('click', row, () => page.click('[role=row]:has([title=many])'))
    await page.evaluate(`document.querySelector('[role=grid]').focus()`)
    await page.press(backspace)
    await page.until(`document.querySelector('[role=row]:has([title=many])')`)
    return { overriddenDuration: took }
  }
  const session = await openBareSession(site(), 'file')
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
  figure('first rows of the folder, after the reply', took, 'ms', {
    max: 73,
    why: 'an existing console took 73 and 108 on another machine',
  })
})

/** @returns milliseconds until the last byte has come */
async function downloadBare(site: Site, path: string): Promise<number> {
  const session = await openBareSession(site, 'file')
  // The header is no content.
  let left = largeMib * 2 ** 20 + 12
  const took = await session.exchange(
    () => session.socket.send(encodeDownloadRequest(path)),
    (frame) => {
      left -= frame.length
      return left === 0
    },
  )
  session.close()
  return took
}

/** @returns milliseconds until the server has confirmed all of it */
async function uploadBare(site: Site, content: Buffer, path: string): Promise<number> {
  const session = await openBareSession(site, 'file')
  const send = async () => {
    session.socket.send(encodeUploadRequest(path, content.length))
    for (let at = 0; at < content.length; at += fileChunkBytes) {
      await new Promise((sent) => session.socket.send(content.subarray(at, at + fileChunkBytes), sent))
    }
  }
  const took = await session.exchange(send, (frame) => frame.toString('latin1') === 'NZUP')
  session.close()
  return took
}

const half = { min: 0.4, why: 'the rest is the disk of the browser, and its three processes' }
const backspace = { key: 'Backspace', code: 'Backspace', windowsVirtualKeyCode: 8 }
const status = 'section[aria-live=polite]'

test.for(ways)('200 MiB up and down, $way', async ({ way, site }, { bench }) => {
  const folder = join(sites.folder, `moved ${way}`)
  mkdirSync(folder)
  const source = join(sites.folder, 'large.bin')
  copyFileSync(source, join(folder, 'large.bin'))
  const content = await readFile(source)
  const page = await openQuietTerminal(site())
  await openPanel(page)
  await goTo(page, folder)
  /** The page says so once for each: the message before has to be gone. */
  const said = async (text: string, event: 'click' | 'change', act: () => Promise<unknown>) => {
    await page.until(`!document.querySelector('${status}')?.textContent.includes('${text}')`)
    return { overriddenDuration: await page.time(event, { selector: status, holds: text }, act) }
  }
  const download = () => said('Downloaded: large.bin', 'click', () => page.click('[aria-label="Download large.bin"]'))
  let number = 0
  const upload = () => {
    number += 1
    const path = join(sites.folder, `${way} ${number}.bin`)
    linkSync(source, path)
    return said('1 file uploaded', 'change', () => page.choose('input[type=file]:not([webkitdirectory])', path))
  }
  const down = await bench.compare(
    bench('down', download),
    bench('bare client', async () => ({ overriddenDuration: await downloadBare(site(), join(folder, 'large.bin')) })),
    rounds(5),
  )
  const up = await bench.compare(
    bench('up', upload),
    bench('bare client', async () => ({
      overriddenDuration: await uploadBare(site(), content, join(folder, 'bare.bin')),
    })),
    rounds(5),
  )
  await page.close()
  figure('down, of the bare client', down.get('bare client').latency.p50 / down.get('down').latency.p50, 'times', half)
  figure('up, of the bare client', up.get('bare client').latency.p50 / up.get('up').latency.p50, 'times', half)
})

test('the memory of a page that downloads 1 GiB', async () => {
  await writeLarge(join(sites.folder, 'huge.bin'), 2 ** 30)
  const page = await openQuietTerminal(sites.embedded)
  await openPanel(page)
  await goTo(page, sites.folder)
  const pid = await workingProcess(page)
  await page.command('HeapProfiler.collectGarbage')
  const before = residentMib(pid)
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentMib(pid))
  }, 100)
  const saved = { selector: status, holds: 'Downloaded: huge.bin' }
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
