import { join } from 'node:path'
import { expect, test } from '../../support/journeys/killableJourney.ts'
import { changeData } from '../../support/server/changeDatabase.ts'

test('a list and an open form stay on screen while the server is down, and are updated when it is up again', async ({
  page,
  killable,
}) => {
  await page.goto(`${killable.address}/dashboard`)
  const machine = page.locator('tr[data-row]')
  await expect(machine).toHaveCount(1)
  await machine.getByRole('link', { name: /^Edit/ }).click()
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.getByRole('textbox', { name: 'Private note' }).fill('typed while the server was there')

  await killable.kill()
  const bar = page.getByText(/^The server has been unreachable since/)
  await expect(bar).toBeVisible()

  // A save fails in words, and the form stays; so does the list when somebody comes back to the tab or sorts it.
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The server cannot be reached' })).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Private note' })).toHaveValue('typed while the server was there')
  await expect(machine).toHaveCount(1)

  changeData(join(killable.folder, 'data'), `UPDATE server SET name = 'renamed meanwhile'`)
  await killable.revive()
  await expect(bar).toBeHidden()
  await expect(machine).toContainText('renamed meanwhile')
  await expect(form.getByRole('textbox', { name: 'Private note' })).toHaveValue('typed while the server was there')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  // Live metrics are back as well.
  await expect.poll(() => machine.innerText()).toMatch(/Online/)
})

test('live metrics begin by themselves when the server went away before their code had come', async ({
  page,
  killable,
}) => {
  const code = '**/feed.worker-*.js'
  const asked = page.waitForRequest(code)
  await page.route(code, (route) => route.abort('connectionrefused'))
  const stream = page.waitForEvent('websocket')
  await page.goto(`${killable.address}/dashboard`)
  await asked
  await expect(page.locator('tr[data-row]')).toHaveCount(1)
  await page.unroute(code)
  await (await stream).waitForEvent('framereceived')
})

test('a list sorts the rows it has while the server is down', async ({ page, killable }) => {
  await page.goto(`${killable.address}/dashboard`)
  const machine = page.locator('tr[data-row]')
  await expect(machine).toHaveCount(1)
  await killable.kill()
  await expect(page.getByText(/^The server has been unreachable since/)).toBeVisible()
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=name/)
  await expect(machine).toHaveCount(1)
  await expect(page.getByText(/Error Fetching Resource/)).toHaveCount(0)
})

test('a wall says that the server is down, and goes on when it is up again', async ({ page, killable }) => {
  await page.goto(`${killable.address}/dashboard?view=wall`)
  const wall = page.getByRole('main', { name: 'Wall, for a screen' })
  await expect(wall.getByText('Online', { exact: true })).toBeVisible()
  await killable.kill()
  await expect(wall.getByRole('status')).toContainText(/^The server has been unreachable since/)
  await expect(wall.getByRole('listitem')).toHaveCount(1)
  await killable.revive()
  await expect(wall.getByRole('status')).not.toContainText('Reconnecting')
  await expect(wall.getByRole('status')).toContainText('1 online / 1')
  await page.keyboard.press('Escape')
  await expect(page.locator('tr[data-row]')).toHaveCount(1)
})
