import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openFilePanel } from '../../support/console/filePanel.ts'
import type { FrameTap } from '../../support/journeys/frameTap.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'
import { test } from '../../support/journeys/tappedJourney.ts'
import { temporaryFolderOfEachTest } from '../../support/journeys/temporaryFolder.ts'

const MiB = 2 ** 20
/** More than a connection that nobody reads takes. */
const megabytes = 96
let folder: string
temporaryFolderOfEachTest((made) => {
  folder = made
})

test.beforeEach(({ context }) => signIn(context))

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Bytes that file sessions have sent so far. */
const sentIn = (tap: FrameTap) =>
  tap
    .sent('file')
    .flat()
    .reduce((sum, { length }) => sum + length, 0)

function makeFile(name: string): string {
  mkdirSync(join(folder, 'here'))
  const path = join(folder, 'here', name)
  writeFileSync(path, randomBytes(megabytes * MiB))
  return path
}

/** Uploads a file into a folder, and reloads the page when a part of it has arrived. */
async function cutByReload(page: Page, tap: FrameTap) {
  const source = makeFile('big.bin')
  const there = join(folder, 'there')
  mkdirSync(there)
  page.on('dialog', (dialog) => void dialog.accept())
  const files = await openFilePanel(page)
  await files.goTo(there)
  await expect(files.panel.getByRole('button', { name: 'New', exact: true })).toBeVisible()
  tap.stallAfter(40 * MiB)
  await files.upload(source)
  await expect(files.uploading).toContainText(/[2-9]\d[\d.]* MiB of 96 MiB/)
  await page.reload()
  return { source, there, files }
}

test('an upload that a reload has cut goes on where it stopped when its file is chosen again', async ({
  page,
  tap,
}) => {
  const { source, there, files } = await cutByReload(page, tap)

  tap.stallAfter(Number.POSITIVE_INFINITY)
  const first = sentIn(tap)
  expect(first).toBeGreaterThan(10 * MiB)
  await page.getByRole('button', { name: 'Files', exact: true }).click()
  const interrupted = files.panel.getByRole('list', { name: 'Interrupted' })
  await expect(interrupted).toContainText('big.bin')
  await expect(interrupted).not.toContainText('starts from the beginning')
  expect(readdirSync(there).sort()).toEqual([
    expect.stringMatching(/^\.wheelhouse-part-[\da-f]{16}$/),
    expect.stringMatching(/^\.wheelhouse-part-[\da-f]{16}\.for$/),
  ])

  // Another file is refused before anything is sent.
  const again = page.locator('input[data-upload=again]')
  await again.setInputFiles({ name: 'other.bin', mimeType: 'text/plain', buffer: Buffer.from('other') })
  await files.expectNotification(/^None of these files/)
  await again.setInputFiles(source)
  await files.expectNotification('1 file uploaded · compared by SHA-256')
  expect(readdirSync(there)).toEqual(['big.bin'])
  expect(sha256(join(there, 'big.bin'))).toBe(sha256(source))
  // What had arrived was not sent again.
  expect(sentIn(tap) - first).toBeLessThan((megabytes - 10) * MiB)
  await expect(interrupted).toBeHidden()
})

test('an upload and a download whose line is cut go on by themselves', async ({ page, tap }) => {
  const source = makeFile('big.bin')
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await expect(files.panel.getByRole('button', { name: 'New', exact: true })).toBeVisible()
  tap.stallAfter(40 * MiB)
  await files.upload(source)
  await expect(files.uploading).toContainText(/[2-9]\d[\d.]* MiB of 96 MiB/)
  tap.stallAfter(Number.POSITIVE_INFINITY)
  tap.cut()
  await files.expectNotification('1 file uploaded · compared by SHA-256')
  expect(sha256(join(folder, 'big.bin'))).toBe(sha256(source))
  expect(readdirSync(folder).sort()).toEqual(['big.bin', 'here'])

  // What comes is held back here, however much connections take: the driver is busy with each byte.
  const wanted = join(folder, 'here', 'wanted.bin')
  writeFileSync(wanted, randomBytes(24 * MiB))
  await files.goTo(join(folder, 'here'))
  tap.holdBackAfter(8 * MiB)
  const arrived = page.waitForEvent('download')
  await files.panel.getByRole('button', { name: 'Download wanted.bin', exact: true }).click()
  await expect(files.downloading).toContainText(/[2-9][\d.]* MiB of 24 MiB/)
  tap.holdBackAfter(Number.POSITIVE_INFINITY)
  tap.cut()
  expect(sha256(await (await arrived).path())).toBe(sha256(wanted))
  await files.expectNotification('Downloaded: wanted.bin · compared by SHA-256')
})

test('an upload that was interrupted is removed with its part', async ({ page, tap }) => {
  const { there, files } = await cutByReload(page, tap)
  tap.stallAfter(Number.POSITIVE_INFINITY)
  const asked = Promise.withResolvers<void>()
  await page.route(/\/files\?path=/, async (route) => {
    await asked.promise
    await route.fallback()
  })
  await page.getByRole('button', { name: 'Files', exact: true }).click()
  // The home of the shell, in which a shell that has ended may have left its history.
  await expect(files.panel.getByText(/^(This folder is empty|Only hidden files here)\.$/)).toBeVisible()
  // Whether the machine can remove parts is not known yet.
  const interrupted = files.panel.getByRole('list', { name: 'Interrupted' })
  await expect(interrupted).toBeHidden()
  asked.resolve()
  await files.panel.getByRole('button', { name: 'Remove big.bin from the list' }).click()
  await expect(interrupted).toBeHidden()
  await expect.poll(() => readdirSync(there)).toEqual([])
})

test('a part that somebody else has left is listed in its folder with its file, and removed after a question', async ({
  page,
}) => {
  const part = join(folder, '.wheelhouse-part-0123456789abcdef')
  const then = Date.now() / 1000 - 3 * 24 * 3600
  for (const [path, content] of [
    [part, 'x'.repeat(2048)],
    [`${part}.for`, 'somebody else\nbackup of the shop.tar'],
  ] as const) {
    writeFileSync(path, content)
    utimesSync(path, then, then)
  }
  const files = await openFilePanel(page)
  await files.goTo(folder)
  const left = files.panel.getByRole('list', { name: 'Interrupted' }).getByRole('listitem')
  await expect(left).toContainText('backup of the shop.tar')
  await expect(left).toContainText('Part of an upload by somebody else · 2 KiB · 3 d ago')
  await left.getByRole('button', { name: 'Remove backup of the shop.tar from the list' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(left).toBeHidden()
  expect(readdirSync(folder)).toEqual([])
})
