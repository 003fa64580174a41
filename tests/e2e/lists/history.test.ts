import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { allServers } from '../../support/journeys/serverList.ts'

const form = (page: Page) => page.getByRole('dialog', { name: /^Edit/ })
const note = (page: Page) => form(page).getByRole('textbox', { name: 'Private note' })
const stored = async (page: Page) => (await allServers(page)).find(({ id }) => id === 1)?.note

async function saveNote(page: Page, text: string): Promise<void> {
  await page.goto('/dashboard/server/1')
  await note(page).fill(text)
  await form(page).getByRole('button', { name: 'Save' }).click()
  await expect(form(page)).toBeHidden()
}

test('an operator reads who changed a note, and brings the earlier one back', async ({
  page,
  context,
  openBrowser,
}) => {
  await signIn(context)
  const bert = await (await openBrowser()).newPage()
  await saveNote(page, 'In the cellar.\nAsk Anna.')
  await saveNote(page, 'In the attic.\nAsk Anna.')
  await page.goto('/dashboard/server/1')
  await form(page).getByRole('textbox', { name: 'Name' }).fill('typed before')
  await form(page).getByRole('tab', { name: 'History' }).click()
  const versions = form(page).getByRole('listitem')
  await expect(versions.first()).toContainText('Changed by admin')
  await expect(versions.first()).toContainText('Current version')
  const row = versions.first().getByRole('row', { name: 'Private note' })
  await expect(row.getByRole('cell').nth(0)).toContainText('In the cellar.')
  await expect(row.getByRole('cell').nth(1)).toContainText('In the attic.')
  await page.getByRole('tab', { name: 'History' }).press('ArrowLeft')
  await expect(form(page).getByRole('textbox', { name: 'Name' })).toHaveValue('typed before')
  await form(page).getByRole('textbox', { name: 'Name' }).fill('machine')

  // Meanwhile somebody else writes another one.
  await page.goto('/dashboard/server/1')
  await form(page).getByRole('tab', { name: 'History' }).click()
  await expect(versions.nth(1)).toContainText('In the cellar.')
  await saveNote(bert, 'In the garage.')
  await versions.nth(1).getByRole('button', { name: 'Restore this version' }).click()
  const asked = page.getByRole('dialog', { name: 'Restore this version?' })
  await expect(asked.getByRole('row', { name: 'Private note' })).toContainText('In the cellar.')
  await asked.getByRole('button', { name: 'Restore this version' }).click()
  const conflict = page.getByRole('dialog', { name: 'Somebody else changed this in the meantime' })
  await expect(conflict).toContainText('In the garage.')
  expect(await stored(page)).toBe('In the garage.')
  await conflict.getByRole('button', { name: 'Save' }).click()
  // Dialogs that lie below another one count as hidden: the stored note shows when it is done.
  await expect.poll(() => stored(page)).toBe('In the cellar.\nAsk Anna.')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
