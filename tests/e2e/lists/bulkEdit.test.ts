import { send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { allServers, serverList } from '../../support/journeys/serverList.ts'

test.use({ seeded: 40 })

test.beforeEach(({ context }) => signIn(context))

test('30 servers get a note at once, except one that a colleague has changed meanwhile', async ({ page }) => {
  const list = serverList(page)
  await page.goto('/dashboard?pageSize=30')
  await expect(list.rows).toHaveCount(30)
  const chosen = new Set(await list.ids())
  const before = await allServers(page)
  await list.selectPage()
  await page.getByRole('button', { name: 'Edit…' }).click()

  const dialog = page.getByRole('dialog', { name: 'Edit 30 servers' })
  await dialog.getByRole('checkbox', { name: 'Private note' }).check()
  await dialog.getByLabel('Private note: what to do').selectOption('Add a suffix')
  await dialog.getByRole('textbox', { name: 'Suffix' }).fill(' (rack 7)')
  await expect(dialog.getByText('Changes 30 servers.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('30 will change')).toBeVisible()
  await expect(dialog.getByRole('row')).toHaveCount(30)

  const [contested] = before.filter(({ id }) => chosen.has(id))
  if (!contested) throw new Error('There is no server among the chosen ones.')
  await send(page.context(), 'PATCH', `server/${contested.id}`, { ...contested, note: 'moved by a colleague' })

  // Some are answered only when the progress has been seen.
  let answer = () => {}
  const seen = new Promise<void>((resolve) => {
    answer = resolve
  })
  let sent = 0
  await page.route('**/api/v1/server/*', async (route) => {
    if (route.request().method() === 'PATCH') sent += 1
    if (sent > 10) await seen
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Change 30 servers' }).click()
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await expect(dialog.getByText(/^1\d of 30/)).toBeVisible()
  answer()

  await expect(dialog.getByText('Changed: 29 servers. 1 not changed.')).toBeVisible()
  const conflicts = dialog.getByRole('table', { name: 'Changed by somebody else in the meantime' })
  await expect(conflicts.getByRole('row')).toHaveCount(1)
  await expect(conflicts.getByRole('row', { name: contested.name })).toContainText('moved by a colleague')
  const after = await allServers(page)
  for (const server of before) {
    const note = chosen.has(server.id) ? `${server.note ?? ''} (rack 7)` : server.note
    const stored = after.find(({ id }) => id === server.id)
    expect(stored?.note).toBe(server.id === contested.id ? 'moved by a colleague' : note?.trimEnd())
    expect(stored?.name).toBe(server.name)
  }

  await dialog.getByRole('button', { name: 'Review the remaining 1' }).click()
  const rest = page.getByRole('dialog', { name: contested.name })
  await expect(rest.getByRole('row', { name: contested.name })).toContainText('moved by a colleague (rack 7)')
  await rest.getByRole('button', { name: 'Change 1 server' }).click()
  await expect(rest.getByText('Changed: 1 server.')).toBeVisible()
  await rest.getByRole('button', { name: 'Close' }).click()
  const last = (await allServers(page)).find(({ id }) => id === contested.id)
  expect(last?.note).toBe('moved by a colleague (rack 7)')
})

test('a bulk edit and an order by hand are taken back', async ({ page }) => {
  const list = serverList(page)
  await page.goto('/dashboard?sort=display_index&order=DESC')
  await expect(list.rows).toHaveCount(10)
  const before = await allServers(page)
  await list.selectPage()
  await page.getByRole('button', { name: 'Edit…' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit 10 servers' })
  await edit.getByRole('checkbox', { name: 'Private note' }).check()
  await edit.getByLabel('Private note: what to do').selectOption('Add a suffix')
  await edit.getByRole('textbox', { name: 'Suffix' }).fill(' (rack 7)')
  await edit.getByRole('button', { name: 'Preview' }).click()
  await edit.getByRole('button', { name: 'Change 10 servers' }).click()
  await expect(edit.getByText('Changed: 10 servers.')).toBeVisible()
  await edit.getByRole('link', { name: 'Undo' }).click()
  const undo = page.getByRole('dialog', { name: /^Undo/ })
  await undo.getByRole('button', { name: 'Undo' }).click()
  await expect(undo).toBeHidden()
  const notes = (servers: typeof before) => servers.map(({ id, name, note }) => ({ id, name, note }))
  expect(notes(await allServers(page))).toEqual(notes(before))

  await page.goto('/dashboard?sort=display_index&order=DESC')
  await expect(list.rows).toHaveCount(10)
  const ids = await list.ids()
  await list.rows
    .nth(3)
    .getByRole('button', { name: /More|Actions|menu/i })
    .click()
  await page.getByRole('menuitem', { name: 'Move to top' }).click()
  await expect.poll(async () => (await list.ids())[0]).toBe(ids[3])
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Recent changes' }).click()
  await page.getByRole('button', { name: /^Undo: Server “.*” changed: Display index$/ }).click()
  const moveBack = page.getByRole('dialog', { name: /Display index$/ })
  await moveBack.getByRole('button', { name: 'Undo' }).click()
  await expect(moveBack).toBeHidden()
  await page.goto('/dashboard?sort=display_index&order=DESC')
  await expect.poll(() => list.ids()).toEqual(ids)
})
