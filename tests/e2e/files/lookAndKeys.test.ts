import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { temporaryFolderOfEachTest } from '../../support/journeys/temporaryFolder.ts'

let folder: string
temporaryFolderOfEachTest((made) => {
  folder = made
})

test.beforeEach(({ context }) => signIn(context))

/** Pastes a file as one that was copied on the desktop. */
const pasteFile = (page: Page, name: string, text: string) =>
  page.evaluate(
    ([fileName = '', content = '']) => {
      const data = new DataTransfer()
      data.items.add(new File([content], fileName))
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }))
    },
    [name, text],
  )

test('the keys of a file manager reload, move, make folders and delete, and Ctrl-V uploads what was copied on the desktop', async ({
  page,
}) => {
  mkdirSync(join(folder, 'archive'))
  writeFileSync(join(folder, 'archive', 'old.log'), 'older')
  for (const name of ['a.txt', 'b.txt', 'old.log']) writeFileSync(join(folder, name), name)
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await expect(files.row('a.txt')).toBeVisible()

  writeFileSync(join(folder, 'from elsewhere'), 'x')
  await files.grid.focus()
  await page.keyboard.press('F5')
  await expect(files.row('from elsewhere')).toBeVisible()

  await page.keyboard.press('F7')
  await page.getByRole('dialog', { name: 'New folder' }).getByRole('textbox').fill('made by key')
  await page.keyboard.press('Enter')
  await files.expectNotification('Created: made by key')
  // What is new becomes the active row, when the list has been read again.
  await expect(files.row('made by key')).toHaveAttribute('data-active', 'true')

  // To a folder beside it, by its name.
  await files.grid.focus()
  await page.keyboard.press('a')
  await page.keyboard.press('.')
  await page.keyboard.press('F6')
  const moving = page.getByRole('dialog', { name: 'Move to another folder' })
  await expect(moving.getByRole('button', { name: 'Move' })).toBeDisabled()
  await moving.getByRole('textbox', { name: 'Folder' }).fill('nowhere')
  await page.keyboard.press('Enter')
  await expect(moving.getByRole('alert')).toContainText('nowhere')
  await moving.getByRole('textbox', { name: 'Folder' }).fill('archive')
  await page.keyboard.press('Enter')
  await files.expectNotification('1 item moved')
  expect(readdirSync(join(folder, 'archive')).sort()).toEqual(['a.txt', 'old.log'])

  // What is there already is replaced only after a question.
  await files.row('old.log').getByRole('checkbox').check()
  await files.panel.getByRole('button', { name: 'More for the selection' }).click()
  await page.getByRole('menuitem', { name: 'Move to another folder' }).click()
  await moving.getByRole('textbox', { name: 'Folder' }).fill(join(folder, 'archive'))
  await moving.getByRole('button', { name: 'Move' }).click()
  await expect(moving.getByRole('alert')).toContainText('Already there: old.log')
  expect(readFileSync(join(folder, 'archive', 'old.log'), 'utf8')).toBe('older')
  await moving.getByRole('button', { name: 'Overwrite' }).click()
  await expect(moving).toBeHidden()
  await expect.poll(() => readFileSync(join(folder, 'archive', 'old.log'), 'utf8')).toBe('old.log')

  await files.grid.focus()
  await page.keyboard.press('b')
  await page.keyboard.press('F8')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await files.expectNotification('1 item deleted')
  expect(existsSync(join(folder, 'b.txt'))).toBe(false)

  await files.grid.focus()
  await pasteFile(page, 'from the desktop.txt', 'pasted')
  await expect(files.row('from the desktop.txt')).toBeVisible()
  await files.expectNotification('1 file uploaded · compared by SHA-256')
  expect(readFileSync(join(folder, 'from the desktop.txt'), 'utf8')).toBe('pasted')
  expect(readFileSync(await files.download('from the desktop.txt'), 'utf8')).toBe('pasted')
  await files.expectNotification('Downloaded: from the desktop.txt · compared by SHA-256')
})

test('a file of any size is looked at part by part, as text and in hexadecimal digits', async ({ page }) => {
  const bytes = Buffer.alloc(3_000_000, 'line of a log\n')
  bytes.write('in the middle', 1_600_000)
  bytes.write('the last bytes', bytes.length - 14)
  writeFileSync(join(folder, 'large.log'), bytes)
  writeFileSync(
    join(folder, 'small.bin'),
    Buffer.concat([Buffer.alloc(70_000), Buffer.from('\xff at its end', 'latin1')]),
  )
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await files.row('large.log').click()
  const dialog = page.getByRole('dialog', { name: 'large.log' })
  await expect(dialog.getByRole('status')).toHaveText('Bytes 0 to 65,536 of 3,000,000')
  await dialog.getByRole('button', { name: 'Show as hex' }).click()
  await expect(dialog.getByText('00000000  6c 69 6e 65')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'From byte' }).fill('0x186a00')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('00186a00  69 6e 20 74 68 65 20 6d')).toBeVisible()
  await dialog.getByRole('button', { name: 'End' }).click()
  await expect(dialog.getByRole('status')).toHaveText('Bytes 2,949,120 to 3,000,000 of 3,000,000')
  await expect(dialog.getByRole('button', { name: 'Next page' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await files.row('small.bin').click()
  const binary = page.getByRole('dialog', { name: 'small.bin' })
  await binary.getByRole('button', { name: 'Show as hex' }).click()
  await binary.getByRole('button', { name: 'Next page' }).click()
  await expect(binary.getByRole('status')).toHaveText('Bytes 65,536 to 70,012 of 70,012')
  await binary.getByRole('button', { name: 'Close' }).click()
})

test('what is typed into a file stays when the window becomes as narrow as a phone, and wide again', async ({
  page,
}) => {
  writeFileSync(join(folder, 'notes.txt'), 'notes')
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await files.row('notes.txt').click()
  const dialog = page.getByRole('dialog', { name: 'notes.txt' })
  const text = dialog.getByRole('textbox', { name: 'notes.txt' })
  await text.fill('typed')
  for (const width of [390, 1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await text.press('End')
    await text.pressSequentially('.')
    await expect(text).toHaveText(/^typed\.+$/)
  }
  await expect(text).toHaveText('typed...')
  await dialog.getByRole('button', { name: 'Save' }).click()
  // The file is written before the page knows of it, and asks no more.
  await files.expectNotification('Saved: notes.txt')
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('typed...')
  await dialog.getByRole('button', { name: 'Close' }).click()
  // Then the panel is what it is on a phone.
  await expect(page.getByRole('dialog').filter({ has: files.panel })).toBeVisible()
})
