import type { Page } from '@playwright/test'
import { send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { navigate } from '../../support/journeys/navigate.ts'

// A server of its own: its machine is in an alarm, and nobody is told.
test.use({ serverName: 'maintenance' })

test.beforeEach(({ context }) => signIn(context))

const row = (page: Page) => page.locator('tr[data-row]').first()

test('an open window silences an alarm, which is muted until it has recovered', async ({ page, context }) => {
  await page.goto('/dashboard/maintenance-window/create')
  const form = page.getByRole('dialog', { name: 'Create: Maintenance window' })
  await form.getByLabel('Name').fill('Kernel update')
  await form.getByLabel('First start').fill(new Date(Date.now() - 3_600_000).toISOString().slice(0, 16))
  await form.getByLabel('Duration').fill('600')
  await form.getByLabel('Time zone').fill('UTC')
  await expect(form.getByText('Next times, clocks of UTC')).toBeVisible()
  await form.getByRole('button', { name: /^All/ }).first().click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(row(page)).toContainText('Kernel update')

  await page.goto('/dashboard')
  await expect(row(page)).toContainText(/Maintenance until \d/)

  const rule = { name: 'busy', enable: true, trigger_mode: 1, notification_group_id: 0 }
  const memory = { type: 'memory', max: 0.1, duration: 3, cover: 0 }
  await send(context, 'POST', 'alert-rule', {
    ...rule,
    rules: [memory],
    fail_trigger_tasks: [],
    recover_trigger_tasks: [],
  })
  await navigate(page, '/dashboard/alarm')
  await expect(page.getByRole('table', { name: 'Alarms' })).toBeVisible()
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(row(page)).toContainText('Maintenance', { timeout: 1000 })
  }).toPass()

  await row(page)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Mute' }).click()
  const dialog = page.getByRole('dialog', { name: /^Mute .*: busy$/ })
  await dialog.getByLabel('Until it has recovered').check()
  await dialog.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect(dialog).toBeHidden()
  await navigate(page, '/dashboard/mute')
  await expect(page.getByRole('table', { name: 'Mutes' })).toBeVisible()
  await expect(row(page)).toContainText('Until it has recovered')
  await expect(row(page)).toContainText('admin')
})
