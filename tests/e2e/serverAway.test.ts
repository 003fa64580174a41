import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { changeData } from '../support/endSessions.ts'
import { type ServerProcess, spawnServer } from '../support/spawnServer.ts'

const password = 'correct horse battery'
let folder: string
let server: ServerProcess

const start = (settings: Record<string, string> = {}) =>
  spawnServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password, ...settings })

test.beforeEach(async ({ context }) => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-'))
  server = await start()
  const reply = await context.request.post(`${server.address}/api/v1/login`, { data: { username: 'admin', password } })
  expect(await reply.json()).toMatchObject({ success: true })
})

test.afterEach(async () => {
  server.kill('SIGKILL')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

test('a server that is killed takes nothing from the screen, and what it missed is there when it is back', async ({
  page,
}) => {
  await page.goto(`${server.address}/dashboard`)
  const machine = page.locator('tbody > tr')
  await expect(machine).toHaveCount(1)
  await machine.getByRole('link', { name: /^Edit/ }).click()
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.getByRole('textbox', { name: 'Private note' }).fill('typed while the server was there')

  const { port } = new URL(server.address)
  server.kill('SIGKILL')
  await server.ended
  const bar = page.getByText(/^The server cannot be reached since/)
  await expect(bar).toBeVisible({ timeout: 20_000 })

  // A save fails in words, and the form stays; so does the list when somebody comes back to the tab or sorts it.
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The server cannot be reached' })).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Private note' })).toHaveValue('typed while the server was there')
  await expect(machine).toHaveCount(1)

  changeData(join(folder, 'data'), `UPDATE server SET name = 'renamed meanwhile'`)
  server = await start({ PORT: port })
  await expect(bar).toBeHidden({ timeout: 40_000 })
  await expect(machine).toContainText('renamed meanwhile')
  await expect(form.getByRole('textbox', { name: 'Private note' })).toHaveValue('typed while the server was there')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  // Live figures are back as well.
  await expect.poll(() => machine.innerText(), { timeout: 20_000 }).toMatch(/Online/)
})

test('a list goes on sorting the rows it has while the server is away', async ({ page }) => {
  await page.goto(`${server.address}/dashboard`)
  const machine = page.locator('tbody > tr')
  await expect(machine).toHaveCount(1)
  server.kill('SIGKILL')
  await server.ended
  await expect(page.getByText(/^The server cannot be reached since/)).toBeVisible({ timeout: 20_000 })
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=name/)
  await expect(machine).toHaveCount(1)
  await expect(page.getByText(/Error Fetching Resource/)).toHaveCount(0)
})
