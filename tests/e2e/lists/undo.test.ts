import type { APIRequestContext, Page } from '@playwright/test'
import { send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { navigate } from '../../support/journeys/navigate.ts'

async function list(request: APIRequestContext, path: string): Promise<Record<string, unknown>[]> {
  return (await (await request.get(`/api/v1/${path}`)).json()).data
}

/** Everything that the browser stores for this site, as text. */
const storedInBrowser = (page: Page) =>
  page.evaluate(async () => {
    const parts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store).getAll()
        await new Promise((resolve) => (reading.onsuccess = resolve))
        parts.push(JSON.stringify(reading.result))
      }
      database.close()
    }
    return parts.join('\n')
  })

test('what was deleted and edited is taken back, and the browser never holds a secret', async ({ page, context }) => {
  await signIn(context)
  await page.goto('/dashboard/notification-group')
  const group = await send(context, 'POST', 'notification-group', { name: 'night shift', notifications: [] })
  const web = { name: 'web', type: 1, target: 'https://127.0.0.1:9', duration: 3600, cover: 1, skip_servers: {} }
  const plain = { fail_trigger_tasks: [], recover_trigger_tasks: [] }
  const id = await send(context, 'POST', 'service', { ...web, ...plain, notify: true, notification_group_id: group })
  await page.reload()

  const row = page.getByRole('row', { name: /night shift/ })
  await row.getByRole('button', { name: /More|Actions|menu/i }).click()
  await page.getByRole('menuitem', { name: /Delete/ }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('You can undo this for 24 hours in this browser')
  await question.getByRole('button', { name: 'Delete “night shift”' }).click()
  await expect(row).toBeHidden()

  await page.getByRole('link', { name: 'Undo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo: Notifier group “night shift” deleted' })
  await expect(dialog).toContainText('Will be created again, with a new number.')
  await expect(dialog).toContainText('Will refer to it again: web')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(page).toHaveURL(/notification-group$/)
  await expect(row).toBeVisible()
  const groups = await list(page.request, 'notification-group')
  const restored = groups
    .map(({ group: one }) => one as { id: number; name: string })
    .find(({ name }) => name === 'night shift')
  expect(restored?.id).toBeGreaterThan(Number(group))
  // Other journeys on this server have services too.
  const service = async () => (await list(page.request, 'service/list')).find((one) => one.id === id)
  const restoredService = await service()
  expect(restoredService).toMatchObject({ name: 'web', notification_group_id: restored?.id })

  await navigate(page, `/dashboard/service/${id}`)
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.getByRole('textbox', { name: 'Name' }).fill('website')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await send(context, 'PATCH', `service/${id}`, { ...restoredService, name: 'renamed', duration: 7200 })
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Recent changes' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '“night shift” deleted' })).toContainText('Undone')
  await page.getByRole('button', { name: 'Undo: Service “web” changed: Name' }).click()
  const conflict = page.getByRole('dialog', { name: 'Undo: Service “web” changed: Name' })
  await expect(conflict.getByRole('radio', { name: 'Name: Keep' })).toBeChecked()
  await conflict.getByRole('radio', { name: 'Name: Undo' }).check()
  await conflict.getByRole('button', { name: 'Undo' }).click()
  await expect(conflict).toBeHidden()
  expect(await service()).toMatchObject({ name: 'web', duration: 7200 })

  await send(context, 'POST', 'ddns', {
    name: 'dynamic',
    provider: 'dummy',
    max_retries: 3,
    domains: ['a.example'],
    access_secret: 'hunter-1',
  })
  await navigate(page, '/dashboard/ddns')
  await page
    .getByRole('row', { name: /dynamic/ })
    .getByRole('link', { name: /Edit|dynamic/ })
    .first()
    .click()
  await form.getByRole('textbox', { name: /^Access secret/ }).fill('hunter-2')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  const stored = await storedInBrowser(page)
  expect(stored).toContain('access_secret')
  expect(stored).not.toContain('hunter')

  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/login/)
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
})
