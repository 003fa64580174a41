import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { temporaryFolderOfEachTest } from '../../support/journeys/temporaryFolder.ts'
import { makePipe } from '../../support/server/process/makePipe.ts'

let folder: string
temporaryFolderOfEachTest((made) => {
  folder = made
})

test.beforeEach(({ context }) => signIn(context))

test('a whole folder comes down as one archive, which says what is not in it', async ({ page }) => {
  mkdirSync(join(folder, 'site', 'deep', 'empty'), { recursive: true })
  writeFileSync(join(folder, 'site', 'deep', 'a b.txt'), 'content')
  makePipe(join(folder, 'site', 'pipe'))
  const files = await openFilePanel(page)
  await files.goTo(folder)
  const archive = await files.download('site')
  const unpacked = mkdtempSync(join(folder, 'unpacked-'))
  execFileSync('tar', ['-xzf', archive, '-C', unpacked])
  expect(readFileSync(join(unpacked, 'site', 'deep', 'a b.txt'), 'utf8')).toBe('content')
  expect(readdirSync(join(unpacked, 'site', 'deep')).sort()).toEqual(['a b.txt', 'empty'])
  expect(readFileSync(join(unpacked, 'LEFT-OUT.txt'), 'utf8')).toContain('/site/pipe: ')
  const transfers = files.panel.getByRole('list', { name: 'Transfers' })
  await expect(transfers).toContainText('Done · 1 file · 7 B')
  await transfers.getByText('1 left out').click()
  await expect(transfers).toContainText(`${folder}/site/pipe`)
  await transfers.getByRole('button', { name: 'Remove site from the list' }).click()
  await expect(transfers).toBeHidden()
})

test('a whole folder goes up, and what is missing there is made', async ({ page }) => {
  const here = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-picked-'))
  mkdirSync(join(here, 'tree', 'inner'), { recursive: true })
  writeFileSync(join(here, 'tree', 'one.txt'), 'one')
  writeFileSync(join(here, 'tree', 'inner', 'two.txt'), 'two')
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await expect(files.panel.getByRole('button', { name: 'New', exact: true })).toBeVisible()
  await page.locator('input[data-upload=folder]').setInputFiles(join(here, 'tree'))
  await files.expectNotification('2 files uploaded')
  expect(readFileSync(join(folder, 'tree', 'inner', 'two.txt'), 'utf8')).toBe('two')

  // Again: asked once for both.
  await page.locator('input[data-upload=folder]').setInputFiles(join(here, 'tree'))
  const question = page.getByRole('alertdialog', { name: '2 files already exist. Overwrite them?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  rmSync(here, { recursive: true })
})

test('files are copied to another server only where there is one', async ({ page }) => {
  writeFileSync(join(folder, 'notes.txt'), 'notes')
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await files.row('notes.txt').getByRole('checkbox').check()
  await files.panel.getByRole('button', { name: 'More for the selection' }).click()
  await page.getByRole('menuitem', { name: 'Copy to another server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy 1 item to another server' })
  await dialog.getByRole('combobox', { name: 'Server' }).click()
  await page.getByRole('option').first().click()
  await expect(dialog.getByText('The files are on this server. Choose another one.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy' })).toBeDisabled()
})
