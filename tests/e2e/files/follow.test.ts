import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { temporaryFolderOfEachTest } from '../../support/journeys/temporaryFolder.ts'

let folder: string
temporaryFolderOfEachTest((made) => {
  folder = made
})

test.beforeEach(({ context }) => signIn(context))

test('a log is followed as it grows, held, searched, and after its rotation', async ({ page }) => {
  const path = join(folder, 'app.log')
  writeFileSync(path, Array.from({ length: 300 }, (_, at) => `line ${at}\n`).join(''))
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await files.row('app.log').click()
  // The dialog has its size once the text is there.
  await expect(page.getByRole('textbox', { name: 'app.log' })).toContainText('line 0')
  await page.getByRole('button', { name: 'Follow' }).click()
  const dialog = page.getByRole('dialog', { name: 'End of app.log, as it grows' })
  const log = dialog.getByRole('log')
  await expect(log).toContainText('line 299')

  appendFileSync(path, 'a new line, and a part')
  await expect(log).toContainText('a new line, and a part')
  appendFileSync(path, ' of it\n')
  await expect(log).toContainText('a new line, and a part of it')

  await dialog.getByRole('button', { name: 'Hold' }).click()
  appendFileSync(path, 'unseen\n')
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await expect(log).toContainText('unseen')

  renameSync(path, `${path}.1`)
  writeFileSync(path, 'after the rotation\n')
  await expect(log).toContainText('Another file has this name now.')
  await expect(log).toContainText('after the rotation')

  await dialog.getByRole('searchbox', { name: 'Search' }).fill('line 299')
  await expect(log.locator('.line')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Close' }).click()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/files/follow')) asked.push(request.url())
  })
  await files.goTo(folder)
  await expect(files.row('app.log.1')).toBeVisible()
  expect(asked).toEqual([])
})
