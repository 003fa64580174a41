import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { filePanel } from '../../support/console/filePanel.ts'
import { openTerminal } from '../../support/console/terminalPage.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

let folder: string

test.beforeEach(async ({ context }) => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-keys-'))
  await signIn(context)
})

test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Presses Tab until something has the focus, at most once around. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  const target = page.getByRole('button', { name, exact: true })
  for (let pressed = 0; pressed < 40; pressed++) {
    if (await target.evaluate((button) => button === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${name}.`)
}

test('without a mouse, every part of the terminal page is reached and left again', async ({ page }) => {
  const shell = await openTerminal(page, folder)
  const input = page.getByRole('textbox', { name: 'Terminal input' })
  // Tab is the shell's: how to get out is said where the focus is.
  await expect(input).toHaveAttribute('aria-description', /Ctrl-Shift-Arrow up moves from the terminal to the buttons/)
  await shell.focus()
  await page.keyboard.press('Tab')
  await expect(input).toBeFocused()

  // The search takes the keys again where it is open already.
  const search = page.getByRole('textbox', { name: 'Search in the output' })
  await page.keyboard.press('Control+Shift+F')
  await expect(search).toBeFocused()
  await shell.focus()
  await page.keyboard.press('Control+Shift+F')
  await expect(search).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(input).toBeFocused()

  // A dialog with a hidden input for files.
  await page.keyboard.press('Control+Shift+ArrowUp')
  await tabTo(page, 'Snippets')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Snippets' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Import' })).toBeFocused()
  await tabTo(page, 'New snippet')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Snippets' })).toBeFocused()

  await tabTo(page, 'Send to all', 'Shift+Tab')
  await page.keyboard.press('Enter')
  const line = page.getByRole('textbox', { name: 'Command (Shift-Enter for a new line)' })
  await expect(line).toBeFocused()
  await shell.focus()
  await page.keyboard.press('Control+Shift+ArrowDown')
  await expect(line).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(input).toBeFocused()

  await page.keyboard.press('Control+Shift+ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Search servers by name' })).toBeFocused()
  await expect(page.getByRole('dialog').getByRole('button', { name: /#1/ })).toBeVisible()
  await page.keyboard.press('Enter')
  const tabs = page.getByRole('list', { name: 'Terminals' })
  await expect(tabs.getByRole('listitem')).toHaveCount(2)
  await expect(input).toBeFocused()
  await page.keyboard.press('Control+Shift+ArrowUp')
  await page.keyboard.press('Tab')
  await expect(tabs.getByRole('button', { name: /^Close the terminal/ }).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tabs).toBeHidden()
  await expect(input).toBeFocused()
})

test('without a mouse, files are selected, deleted and left, and the keys go on in the list', async ({ page }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(folder, name), name)
  const shell = await openTerminal(page, folder)
  const { panel, grid, goTo, row } = filePanel(page)
  await page.keyboard.press('Control+Shift+ArrowUp')
  await tabTo(page, 'Files')
  await page.keyboard.press('Enter')
  await expect(grid).toBeFocused()
  await goTo(folder)
  await expect(grid).toBeFocused()
  await shell.focus()
  await page.keyboard.press('Control+Shift+ArrowDown')
  await expect(grid).toBeFocused()

  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  await tabTo(page, 'Clear selection', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(grid).toBeFocused()

  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await tabTo(page, 'Delete', 'Shift+Tab')
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(row('a.txt')).toBeHidden()
  await expect(grid).toBeFocused()

  await tabTo(page, 'Close files', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(panel).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused()
})
