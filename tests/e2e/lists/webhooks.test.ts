import type { Page } from '@playwright/test'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { verifiedEvent } from '../../support/fakes/verifiedEvent.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { expectToast } from '../../support/journeys/toasts.ts'

// A server of its own: every sign-in is an event here.
test.use({ serverName: 'webhooks' })

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

test('an operator subscribes to an event, sees its delivery, and sends it again', async ({ page, context }) => {
  const receiver = await createReceiver()
  try {
    await signIn(context)
    await page.goto('/dashboard/notification/create')
    const notifier = dialog(page, 'Create: Notifier')
    await notifier.getByRole('textbox', { name: 'Name' }).fill('Tickets')
    await notifier.getByRole('textbox', { name: 'URL' }).fill(`${receiver.origin}/events`)
    await expect(notifier.getByLabel('Request method')).toBeVisible()
    await notifier.getByLabel('Send events as JSON').check()
    await expect(notifier.getByLabel('Request method')).toBeHidden()
    await notifier.getByRole('button', { name: 'Generate' }).click()
    await notifier.getByRole('button', { name: 'Show', exact: true }).click()
    const input = notifier.getByRole('textbox', { name: 'Signing secret' })
    await expect(input).toHaveValue(/^whsec_/)
    const secret = await input.inputValue()
    await notifier.getByRole('button', { name: 'Save' }).click()
    await expect(notifier).toBeHidden()
    const events = () => receiver.deliveries.map((request) => verifiedEvent(request, secret))
    expect(events()).toMatchObject([{ type: 'test' }])

    await page.goto('/dashboard/notification-group/create')
    const group = dialog(page, 'Create: Notifier group')
    await group.getByRole('textbox', { name: 'Name' }).fill('Automation')
    await group.getByRole('combobox', { name: /^Events/ }).click()
    await page.getByRole('option', { name: 'Sign-in' }).click()
    await page.keyboard.press('Escape')
    await expect(group.getByText('No notifier in this group sends events as JSON')).toBeVisible()
    await group.getByRole('combobox', { name: /^Notifiers/ }).click()
    await page.getByRole('option', { name: /Tickets/ }).click()
    await page.keyboard.press('Escape')
    await expect(group.getByText('No notifier in this group sends events as JSON')).toBeHidden()
    await group.getByRole('button', { name: 'Save' }).click()
    await expect(group).toBeHidden()
    await expect(page.getByRole('row', { name: /Automation/ })).toContainText('Sign-in')

    await signIn(context)
    await expect.poll(() => events().map(({ type }) => type)).toEqual(['test', 'user.signed_in'])
    await page.goto('/dashboard/delivery')
    const row = page.locator('tr[data-row]').first()
    await expect(row).toContainText('Sign-in')
    await expect(row).toContainText('admin, password')
    await expect(row).toContainText('Sent')
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Send again' }).click()
    await expectToast(page, 'The event is being sent again')
    await expect.poll(() => receiver.deliveries).toHaveLength(3)
    expect(
      new Set(
        events()
          .slice(1)
          .map(({ id }) => id),
      ).size,
    ).toBe(1)
  } finally {
    receiver.close()
  }
})
