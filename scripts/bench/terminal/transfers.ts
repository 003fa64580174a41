import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeDownloadRequest, encodeUploadRequest, fileChunkBytes } from '../../../src/schemas/frames/file.ts'
import type { Site } from '../console/visit.ts'
import { ratios } from '../report/report.ts'
import { openBareSession } from './bareSession.ts'
import type { Report, Way } from './budgets.ts'
import { type FilesPage, openFilesPage, toasts } from './filesPage.ts'

const megabytes = 100
const bytes = megabytes * 2 ** 20
const rounds = 5

const rate = (ms: number) => megabytes / (ms / 1000)

/** 100 MiB both ways, by the file manager and by a bare client; they take turns. */
export async function measureTransfers(site: Site, folder: string, way: Way, report: Report): Promise<void> {
  const source = join(folder, 'source.bin')
  const uploaded = join(folder, 'up', 'source.bin')
  await writeLarge(source, bytes)
  const hash = await hashOf(source)
  const takes = { down: [] as number[], up: [] as number[] }
  const bare = { down: [] as number[], up: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    await makeRoom(folder)
    bare.down.push(await downloadBare(site, source, join(folder, 'bare.bin')))
    await rm(join(folder, 'bare.bin'))
    takes.down.push(
      await withPage(site, folder, async (page) => {
        const took = await download(page)
        requireIntact('downloaded', hash, await page.evaluate<string>(`(${hashOfDownload})()`))
        return took
      }),
    )
    await makeRoom(folder)
    bare.up.push(await uploadBare(site, source, join(folder, 'bare.bin')))
    await rm(join(folder, 'bare.bin'))
    // Not into the folder of the source: the upload of a file that is there would be asked about.
    takes.up.push(await withPage(site, join(folder, 'up'), (page) => upload(page, source)))
    requireIntact('uploaded', hash, await hashOf(uploaded))
    await rm(uploaded)
  }
  const names =
    way === 'relay'
      ? ({ down: ['relayDownRate', 'relayDownRatio'], up: ['relayUpRate', 'relayUpRatio'] } as const)
      : ({ down: ['downRate', 'downRatio'], up: ['upRate', 'upRatio'] } as const)
  for (const direction of ['down', 'up'] as const) {
    const [rateName, ratioName] = names[direction]
    report.add(rateName, takes[direction].map(rate))
    report.add(rateName, bare[direction].map(rate), 'bare client')
    report.add(ratioName, ratios(bare[direction], takes[direction]))
  }
  await rm(source)
}

const hashOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

/** Runs in the page: the hash of the one file that it has downloaded into the browser's own storage. */
async function hashOfDownload(): Promise<string> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('downloads')
  const files = (folder as unknown as { values(): AsyncIterator<FileSystemFileHandle> }).values()
  const { value: file } = await files.next()
  const content = await (await file.getFile()).arrayBuffer()
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function requireIntact(what: string, expected: string, actual: string): void {
  if (actual !== expected) throw new Error(`The ${what} file is not what was sent.`)
}

/**
 * Measures in a browser of its own, which takes what it has stored with it: the system would else write it to the disk
 * while the next one is on the clock.
 */
async function withPage(site: Site, folder: string, measure: (page: FilesPage) => Promise<number>): Promise<number> {
  const page = await openFilesPage(site)
  await page.goTo(folder)
  await makeRoom(folder)
  const took = await measure(page)
  await page.close()
  return took
}

/**
 * Makes the system fetch memory for its file cache beforehand. A virtual machine gets it from its host page by page,
 * which takes longer than all else, unless a measurement before has just freed some.
 */
async function makeRoom(folder: string): Promise<void> {
  const file = join(folder, 'workspace.bin')
  await writeLarge(file, 2 * bytes)
  await rm(file)
}

const download = (page: FilesPage) =>
  page.time('click', { selector: toasts, holds: 'Downloaded: source.bin' }, () =>
    page.click('[aria-label="Download source.bin"]'),
  )

/** From the choice of the file on. */
const upload = (page: FilesPage, source: string) =>
  page.time('change', { selector: toasts, holds: '1 file uploaded' }, () => page.chooseFile(source))

/** Stores what comes, as the browser does: to write into the file cache costs more than the transfer. */
async function downloadBare(site: Site, path: string, target: string): Promise<number> {
  const session = await openBareSession(site, 'file')
  const file = openSync(target, 'w')
  let came = -1
  const took = await session.exchange(
    () => session.socket.send(encodeDownloadRequest(path)),
    (frame) => {
      // The first frame has only the size.
      if (came >= 0) writeSync(file, frame)
      came = came < 0 ? 0 : came + frame.length
      return came === bytes
    },
  )
  closeSync(file)
  session.close()
  return took
}

async function uploadBare(site: Site, source: string, path: string): Promise<number> {
  const session = await openBareSession(site, 'file')
  const { socket } = session
  const file = await open(source)
  const took = await session.exchange(
    async () => {
      socket.send(encodeUploadRequest(path, bytes))
      for (let sent = 0; sent < bytes; sent += fileChunkBytes) {
        // Sent chunks are masked where they lie.
        const chunk = Buffer.allocUnsafeSlow(fileChunkBytes)
        await file.read(chunk)
        await new Promise((resolve) => socket.send(chunk, resolve))
      }
    },
    (frame) => frame.toString('latin1') === 'NZUP',
  )
  await file.close()
  session.close()
  return took
}

/** Content that no file system can compress or share: no two blocks of it are the same. */
export async function writeLarge(path: string, size: number): Promise<void> {
  const piece = Buffer.from(Array.from({ length: 2 ** 20 }, (_, at) => (at * 2_654_435_761) >>> 24))
  const file = await open(path, 'w')
  for (let written = 0; written < size; written += piece.length) {
    piece.writeUInt32BE(written / piece.length)
    await file.write(piece)
  }
  await file.close()
}
