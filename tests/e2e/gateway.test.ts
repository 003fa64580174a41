import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, password, signIn, username } from '../support/journey.ts'
import { throughGateway as test } from '../support/otherWays.ts'
import { openTerminal } from '../support/terminalPage.ts'

test('a person signs in through the gateway, sees the servers move, and saves', async ({ page }) => {
  await page.goto('/dashboard/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  const machine = page.getByRole('table', { name: 'Servers' }).locator('tbody').getByRole('row')
  await expect(machine).toHaveCount(1)
  await expect(machine.getByText('Online', { exact: true })).toBeVisible()
  const figures = () => machine.innerText()
  await expect.poll(figures).toMatch(/\d+\s?%/)
  const first = await figures()
  await expect.poll(figures, { message: 'the figures never changed' }).not.toBe(first)
  await machine.getByRole('link', { name: /^Edit/ }).click()
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.getByRole('textbox', { name: 'Name' }).fill('behind the gateway')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await page.reload()
  await expect(machine).toContainText('behind the gateway')
})

test('a terminal of the server behind stands in the browser', async ({ page, context }) => {
  await signIn(context)
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-shell-'))
  try {
    const shell = await openTerminal(page, folder)
    await shell.run('echo $((6*7)) through the gateway')
    await shell.expectText(/^42 through the gateway$/m)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
