import { send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

test.use({ serverName: 'with teams' })

test('several records are given to a team at once, found by it, and taken back as one change', async ({
  page,
  context,
}) => {
  await signIn(context)
  await send(context, 'POST', 'wheelhouse/teams', { name: 'Night shift', users: [], servers: [] })
  for (const name of ['chat', 'mail', 'phone'])
    await send(context, 'POST', 'notification-group', { name, notifications: [] })
  await page.goto('/dashboard/notification-group')
  const rows = page.getByRole('row', { name: /chat|mail|phone/ })
  await expect(rows).toHaveCount(3)
  const teams = async () => {
    const { data } = await (await page.request.get('/api/v1/notification-group')).json()
    return (data as { group: { name: string; team: number } }[]).map(({ group }) => `${group.name}: ${group.team}`)
  }

  for (const name of ['chat', 'mail']) await page.getByRole('row', { name }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit 2 notifier groups' })
  await dialog.getByRole('checkbox', { name: 'Team' }).check()
  await dialog.getByRole('combobox', { name: /^Team/ }).last().click()
  await page.getByRole('option', { name: 'Night shift' }).click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('row', { name: /chat/ })).toContainText('Night shift')
  await dialog.getByRole('button', { name: 'Change 2 notifier groups' }).click()
  await expect(dialog.getByText('Changed: 2 notifier groups.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  expect(await teams()).toEqual(['chat: 1', 'mail: 1', 'phone: 0'])

  await page.goto('/dashboard/notification-group')
  await expect(rows.filter({ hasText: 'Night shift' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Team' }).selectOption('Night shift #1')
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(2)

  await page.goto('/dashboard/recent-changes')
  await page.getByRole('button', { name: /^Undo: 2 / }).click()
  const undo = page.getByRole('dialog', { name: /^Undo/ })
  await expect(undo).toContainText('Night shift')
  await undo.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(teams).toEqual(['chat: 0', 'mail: 0', 'phone: 0'])
})
