import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, sessionCookies, test } from '../../support/journeys/journey.ts'
import { expectLiveMetrics, onlyMachine, renameMachine } from '../../support/journeys/serverList.ts'
import { signInByForm } from '../../support/journeys/signInForm.ts'

test.use({ generatesPassword: true, contextOptions: { reducedMotion: 'no-preference' } })

test('after the first start an administrator signs in, renames this machine and adds it to a group', async ({
  page,
  server,
}) => {
  const passwordFile = join(server.dataDir, 'admin-password.txt')
  expect(server.output()).toContain(passwordFile)

  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/dashboard\/login/)
  await signInByForm(page, 'admin', readFileSync(passwordFile, 'utf8').trim())

  await expect(page.getByRole('heading', { name: 'Servers', level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(page).toHaveTitle(/^Servers .*Server Monitoring$/)
  expect(existsSync(passwordFile)).toBe(false)
  await expect(page.getByText('Hi, admin')).toBeVisible()
  await expect(page.getByText('Login IP: 127.0.0.1')).toBeVisible()

  const machine = await onlyMachine(page)
  await expectLiveMetrics(machine)

  await renameMachine(page, machine, 'the wheelhouse')
  await expect(page).toHaveURL('/dashboard')
  await expect(machine.getByRole('link', { name: /^the wheelhouse/ })).toBeVisible()

  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Group' }).click()
  await expect(page).toHaveURL('/dashboard/server-group')
  await page.getByRole('toolbar').getByRole('link', { name: 'Create' }).click()
  const create = page.getByRole('dialog', { name: 'Create: Server group' })
  await create.getByRole('textbox', { name: 'Name' }).fill('Bridge')
  await create.getByRole('combobox', { name: 'Servers' }).fill('wheel')
  await page.getByRole('option', { name: /^the wheelhouse/ }).click()
  // More than one can be chosen, so the list stays until somebody goes on.
  await page.keyboard.press('Tab')
  await create.getByRole('button', { name: 'Save' }).click()
  await expect(create).toBeHidden()

  await page.reload()
  const group = page.getByRole('table', { name: 'Server groups' }).locator('tbody').getByRole('row')
  await expect(group).toHaveText([/Bridge/])
  await expect(group).toHaveText([/the wheelhouse/])
  await page.goto('/dashboard')
  await expect(machine).toHaveText([/the wheelhouse/])
  await expect(machine).toHaveText([/Bridge/])

  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect(page.getByRole('columnheader', { name: 'Gruppe' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de-DE')
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.getByRole('button', { name: 'Design' }).click()
  await page.getByRole('menuitemradio', { name: 'Dunkel' }).click()
  await expect.poll(ground).not.toBe(light)

  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('menuitem', { name: 'Abmelden' }).click()
  await expect(page).toHaveURL('/dashboard/login')
  await expect(page.getByLabel('Benutzername')).toBeVisible()
  expect(await ground()).not.toBe(light)
  expect(await sessionCookies(page.context())).toEqual([])
})
