import { appendFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'
import { test } from '../../support/journeys/tappedJourney.ts'
import { temporaryFolderOfEachTest } from '../../support/journeys/temporaryFolder.ts'

/**
 * More than can be under way: Linux takes up to 36 MiB of a connection that nobody reads, the more the slower the reader
 * was, and passes them on after the cancellation. An upload that is complete with them ends well.
 */
const megabytes = 200
let folder: string
temporaryFolderOfEachTest((made) => {
  folder = made
})

test.beforeEach(({ context }) => signIn(context))

test('an upload cancelled halfway leaves the old file unchanged and no temporary file', async ({ page, tap }) => {
  const source = join(folder, 'source', 'big.bin')
  mkdirSync(join(folder, 'source'))
  writeFileSync(source, 'new')
  truncateSync(source, megabytes * 2 ** 20)
  writeFileSync(join(folder, 'big.bin'), 'the old content')
  const files = await openFilePanel(page)
  await files.goTo(folder)
  tap.stallAfter(10 * 2 ** 20)
  await files.upload(source)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Overwrite 1 file' }).click()
  await expect(files.uploading).toContainText(/[1-9][\d.]* MiB of 200 MiB · [1-9]\d?%/)
  // A part of it is there, under another name, with a note of what it belongs to, and the old file can still be read.
  await expect.poll(() => readdirSync(folder).length).toBe(4)
  expect(readFileSync(join(folder, 'big.bin'), 'utf8')).toBe('the old content')

  await files.uploading.getByRole('button', { name: 'Cancel' }).click()
  await files.expectNotification('Cancelled. A partial file may remain: big.bin')
  await expect(files.uploading).toBeHidden()
  // Only now does the server get the cancellation.
  tap.stallAfter(Number.POSITIVE_INFINITY)
  await expect.poll(() => readdirSync(folder).sort()).toEqual(['big.bin', 'source'])
  expect(readFileSync(join(folder, 'big.bin'), 'utf8')).toBe('the old content')

  // The session ended with it; the next thing that is wanted opens another.
  await files.upload({ name: 'next.txt', mimeType: 'text/plain', buffer: Buffer.from('the next one') })
  await files.expectNotification('1 file uploaded')
  expect(readFileSync(join(folder, 'next.txt'), 'utf8')).toBe('the next one')
})

test('a cancelled download leaves nothing in the browser, and the next one is complete', async ({ page, tap }) => {
  writeFileSync(join(folder, 'big.bin'), '')
  truncateSync(join(folder, 'big.bin'), 3 * 2 ** 30)
  writeFileSync(join(folder, 'small.txt'), 'small')
  const files = await openFilePanel(page)
  await files.goTo(folder)
  // The driver is busy with each byte that comes.
  tap.holdBackAfter(20 * 2 ** 20)
  await files.panel.getByRole('button', { name: 'Download big.bin' }).click()
  await expect(files.downloading).toContainText(/MiB of 3 GiB · \d+%/)
  await files.downloading.getByRole('button', { name: 'Cancel' }).click()
  await files.expectNotification('Cancelled: big.bin')
  tap.holdBackAfter(Number.POSITIVE_INFINITY)
  const stored = await page.evaluate(async () => {
    const downloads = await (await navigator.storage.getDirectory()).getDirectoryHandle('downloads')
    const names: string[] = []
    for await (const name of (downloads as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name)
    return names
  })
  expect(stored).toEqual([])
  expect(readFileSync(await files.download('small.txt'), 'utf8')).toBe('small')
})

test('a log that grows while it is downloaded has arrived as it was, and nobody is told that it differs', async ({
  page,
  tap,
}) => {
  const log = join(folder, 'app.log')
  const before = 'a line of a log\n'.repeat(2 ** 19)
  writeFileSync(log, before)
  const files = await openFilePanel(page)
  await files.goTo(folder)
  tap.holdBackAfter(2 ** 20)
  const arrived = page.waitForEvent('download')
  await files.panel.getByRole('button', { name: 'Download app.log' }).click()
  await expect(files.downloading).toContainText('of 8 MiB')
  appendFileSync(log, 'one more line\n')
  tap.holdBackAfter(Number.POSITIVE_INFINITY)
  expect(readFileSync(await (await arrived).path(), 'utf8') === before).toBe(true)
  await files.expectNotification('Downloaded: app.log · compared by SHA-256')
})
