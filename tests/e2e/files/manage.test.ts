import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { temporaryFolderOfEachTest } from '../../support/journeys/temporaryFolder.ts'

let folder: string
temporaryFolderOfEachTest((made) => {
  folder = made
})

test.beforeEach(({ context }) => signIn(context))

test('files are made, renamed, copied, moved, protected and deleted, by buttons and by keys', async ({ page }) => {
  writeFileSync(join(folder, '-notes.txt'), 'some words', { mode: 0o644 })
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(300_000))
  mkdirSync(join(folder, 'old', 'deep'), { recursive: true })
  writeFileSync(join(folder, 'old', 'deep', 'x'), 'x'.repeat(1024))
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await expect(files.row('large.bin')).toContainText('293 KiB')

  await files.panel.getByRole('button', { name: 'Size', exact: true }).click()
  await expect.poll(files.names).toEqual(['old', 'large.bin', '-notes.txt'])
  await files.panel.getByRole('button', { name: /^Name/ }).click()
  await expect.poll(files.names).toEqual(['old', '-notes.txt', 'large.bin'])

  await files.panel.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New folder' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('old')
  await expect(page.getByRole('alert')).toHaveText('Something with this name is already here.')
  await page.getByRole('textbox', { name: 'Name' }).fill('new place')
  await page.getByRole('button', { name: 'Create' }).click()
  await files.expectNotification('Created: new place')
  await expect(files.row('new place')).toHaveAttribute('data-active', 'true')
  expect(statSync(join(folder, 'new place')).isDirectory()).toBe(true)

  // By keys: to the file, rename, copy into the folder.
  await files.grid.focus()
  await page.keyboard.press('-')
  await page.keyboard.press('F2')
  await expect(page.getByRole('dialog', { name: 'Rename -notes.txt' })).toBeVisible()
  await page.keyboard.type('--help')
  await page.keyboard.press('Enter')
  await files.expectNotification('Renamed to --help.txt')
  expect(readFileSync(join(folder, '--help.txt'), 'utf8')).toBe('some words')
  await expect(files.row('--help.txt')).toHaveAttribute('data-active', 'true')
  await files.grid.focus()
  await page.keyboard.press('Control+c')
  await files.row('new place').click()
  await expect(files.panel.getByRole('grid', { name: /new place$/ })).toBeVisible()
  await files.grid.focus()
  await page.keyboard.press('Control+v')
  await files.expectNotification('1 item copied')
  expect(readFileSync(join(folder, 'new place', '--help.txt'), 'utf8')).toBe('some words')
  // Again in the same folder: under another name.
  await files.panel.getByRole('button', { name: 'Paste a copy of 1 item' }).click()
  await expect.poll(() => existsSync(join(folder, 'new place', '--help.txt'))).toBe(true)
  const question = page.getByRole('alertdialog', { name: '1 file already exists. Overwrite it?' })
  await question.getByRole('button', { name: 'Overwrite 1 file' }).click()
  await expect(question).toBeHidden()

  await files.grid.focus()
  await page.keyboard.press('Backspace')
  await files.row('large.bin').getByRole('checkbox').check()
  await files.panel.getByRole('button', { name: 'Owner and permissions' }).click()
  const mode = page.getByRole('textbox', { name: 'Mode (octal)' })
  // Until the machine has told it, no box is ticked.
  await expect(mode).toHaveValue('0644')
  await page.getByRole('checkbox', { name: 'Others: Read' }).uncheck()
  await page.getByRole('checkbox', { name: 'Owner: Execute' }).check()
  await expect(mode).toHaveValue('0740')
  await page.getByRole('button', { name: 'Save' }).click()
  await files.expectNotification('Permissions of 1 item changed')
  expect(statSync(join(folder, 'large.bin')).mode & 0o7777).toBe(0o740)

  await files.row('large.bin').getByRole('checkbox').check()
  await files.panel.getByRole('button', { name: 'Cut', exact: true }).click()
  await files.row('Folder old').click()
  await files.panel.getByRole('button', { name: 'Move 1 item here' }).click()
  await files.expectNotification('1 item moved')
  expect(existsSync(join(folder, 'large.bin'))).toBe(false)
  expect(statSync(join(folder, 'old', 'large.bin')).size).toBe(300_000)

  await files.grid.focus()
  await page.keyboard.press('Backspace')
  await expect(files.row('--help.txt')).toBeVisible()
  await page.keyboard.press('Control+a')
  await expect(files.panel.getByRole('toolbar', { name: '3 selected' })).toBeVisible()
  await page.keyboard.press('Delete')
  const asked = page.getByRole('alertdialog', { name: 'Delete 3 items?' })
  await expect(asked.getByRole('status')).toHaveText('4 files · 3 folders · 294 KiB')
  await asked.getByRole('button', { name: 'Delete' }).click()
  await files.expectNotification('3 items deleted')
  await expect.poll(files.names).toEqual([])
  expect(existsSync(join(folder, 'old'))).toBe(false)
})

test('files are packed, unpacked, searched, measured and summed up', async ({ page }) => {
  mkdirSync(join(folder, 'site', 'deep'), { recursive: true })
  writeFileSync(join(folder, 'site', 'deep', 'index.html'), 'a needle in here')
  const files = await openFilePanel(page)
  await files.goTo(folder)
  const more = async (item: string) => {
    await files.panel.getByRole('button', { name: 'More for the selection' }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await files.row('Folder site').getByRole('checkbox').check()
  await more('Pack')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('site.tar.gz')
  await page.getByRole('button', { name: 'Pack', exact: true }).click()
  await files.expectNotification('Created: site.tar.gz')

  await files.row('File site.tar.gz').getByRole('checkbox').check()
  await more('Unpack')
  await page.getByRole('textbox', { name: 'Name' }).fill('again')
  await page.getByRole('button', { name: 'Unpack', exact: true }).click()
  await files.expectNotification('Created: again')
  expect(readFileSync(join(folder, 'again', 'site', 'deep', 'index.html'), 'utf8')).toBe('a needle in here')

  await files.row('File site.tar.gz').getByRole('checkbox').check()
  await more('Checksum')
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, 'site.tar.gz')))
    .digest('hex')
  await expect(page.getByRole('dialog', { name: 'SHA-256 of site.tar.gz' })).toContainText(sum)
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await files.choose('Largest folders')
  const sizes = page.getByRole('dialog', { name: /^Largest folders in / })
  await expect(sizes.getByRole('status')).toHaveText('2 folders')
  await sizes.getByRole('button', { name: 'Close' }).click()

  await files.choose('Search in subfolders')
  const search = page.getByRole('dialog', { name: /^Search in / })
  await search.getByRole('textbox', { name: 'Part of the name' }).fill('INDEX')
  await search.getByRole('textbox', { name: 'Text in the file' }).fill('needle')
  await search.getByRole('button', { name: 'Search' }).click()
  await expect(search.getByRole('status')).toHaveText('2 found')
  await search.getByRole('button', { name: 'site/deep/index.html', exact: true }).click()
  await expect(files.row('index.html')).toHaveAttribute('data-active', 'true')
})
