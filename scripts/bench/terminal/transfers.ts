import { closeSync, openSync, writeSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeDownloadRequest, encodeUploadRequest, fileChunkBytes } from '../../../src/schemas/frames/file.ts'
import type { Site } from '../console/visit.ts'
import { ratios } from '../report/report.ts'
import { openBareSession } from './bareSession.ts'
import type { Report } from './budgets.ts'
import { type FilesPage, openFilesPage, toasts } from './filesPage.ts'

const megabytes = 200
const bytes = megabytes * 2 ** 20
const rounds = 5

const rate = (ms: number) => megabytes / (ms / 1000)

/** 200 MiB both ways, by the file manager and by a bare client; they take turns. */
export async function measureTransfers(site: Site, folder: string, report: Report): Promise<void> {
  const source = join(folder, 'source.bin')
  await writeLarge(source, bytes)
  const downs: number[] = []
  const ups: number[] = []
  const bareDowns: number[] = []
  const bareUps: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await makeRoom(folder)
    bareDowns.push(await downloadBare(site, source, join(folder, 'bare.bin')))
    await rm(join(folder, 'bare.bin'))
    downs.push(await withPage(site, folder, download))
    await makeRoom(folder)
    bareUps.push(await uploadBare(site, source, join(folder, 'bare.bin')))
    await rm(join(folder, 'bare.bin'))
    // Not into the folder of the source: the upload of a file that is there would be asked about.
    ups.push(await withPage(site, join(folder, 'up'), (page) => upload(page, source)))
    await rm(join(folder, 'up', 'source.bin'))
  }
  report.add('downRate', downs.map(rate))
  report.add('downRate', bareDowns.map(rate), 'bare client')
  report.add('downRatio', ratios(bareDowns, downs))
  report.add('upRate', ups.map(rate))
  report.add('upRate', bareUps.map(rate), 'bare client')
  report.add('upRatio', ratios(bareUps, ups))
  await rm(source)
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
 * Lets the system's memory for files be there already. A virtual machine fetches it from its host page by page, which
 * takes longer than all else; whoever comes after one that has just freed some would be spared that.
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

/** Stores what comes, as the browser does: a disk's memory costs more than the way to it. */
async function downloadBare(site: Site, path: string, target: string): Promise<number> {
  const session = await openBareSession(site, 'file')
  const file = openSync(target, 'w')
  let came = -1
  const took = await session.exchange(
    () => session.socket.send(encodeDownloadRequest(path)),
    (frame) => {
      // The first frame only tells the size.
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

/** Content that no disk can leave out. */
export async function writeLarge(path: string, size: number): Promise<void> {
  const piece = Buffer.from(Array.from({ length: 2 ** 20 }, (_, at) => (at * 2_654_435_761) >>> 24))
  const file = await open(path, 'w')
  for (let written = 0; written < size; written += piece.length) await file.write(piece)
  await file.close()
}
