import type { Page } from '@playwright/test'
import { navigate } from '../../support/journeys/navigate.ts'
import { changesOf, expect, inEveryDialect, signIn } from '../../support/journeys/recordedJourney.ts'

const dialog = (page: Page) => page.getByRole('dialog')

async function save(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toBeHidden()
}

async function rename(page: Page, path: string, to: string): Promise<void> {
  await navigate(page, path)
  await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill(to)
  await save(page)
}

/** What is edited by a form, and where; the first record of each. */
const editable = [
  'server',
  'service',
  'cron',
  'notification',
  'alert-rule',
  'ddns',
  'nat',
  'server-group',
  'notification-group',
] as const

inEveryDialect('renaming a record of every entity changes nothing else', async ({ page, recorded }) => {
  await signIn(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('table', { name: 'Servers' })).toBeVisible()
  const secrets = () =>
    (['notification', 'ddns'] as const).map((path) => {
      const [first = {}] = recorded.state.stored(path)
      return ['url', 'request_header', 'request_body', 'access_id', 'access_secret', 'webhook_headers'].map(
        (key) => first[key] ?? '',
      )
    })
  const before = secrets()
  expect(before.flat().filter((secret) => secret !== '').length).toBeGreaterThanOrEqual(4)
  for (const path of editable) {
    await rename(page, `/dashboard/${path}/${recorded.state.stored(path)[0]?.id}`, 'new name')
    const update = recorded.state.updates.at(-1)
    expect(update?.path).toBe(path)
    // A service is sent in the spellings of older and newer servers.
    const doubled = path === 'service' ? Object.keys(update?.body ?? {}).filter((key) => /_guest|_show_/.test(key)) : []
    expect(update && changesOf(update).filter((key) => !doubled.includes(key)), path).toEqual(['name'])
    expect(update?.body.name).toBe('new name')
  }
  expect(recorded.state.updates).toHaveLength(editable.length)
  expect(secrets()).toEqual(before)
})

inEveryDialect('the groups of a notifier are chosen in its form', async ({ page, recorded }) => {
  await signIn(page)
  const id = recorded.state.stored('notification')[0]?.id
  const group = () => recorded.state.stored('notification-group')[0]
  const chosen = () => group()?.notifications
  const others = (Array.isArray(chosen()) ? chosen() : []) as unknown[]
  const name = String(group()?.name)
  await page.goto('/dashboard/notification')
  /** @returns what the save changed, besides the notifier itself */
  async function choose(): Promise<unknown> {
    await navigate(page, `/dashboard/notification/${id}`)
    await dialog(page)
      .getByRole('combobox', { name: /^Notifier groups/ })
      .click()
    await page.getByRole('option', { name, exact: true }).click()
    await page.keyboard.press('Escape')
    const known = recorded.state.updates.length
    await save(page)
    const updates = recorded.state.updates.slice(known).filter(({ path }) => path !== 'notification')
    return updates.map((update) => [update.path, changesOf(update), update.body.from_tomorrow])
  }
  const saved = [['notification-group', ['notifications'], { kept: [1, null, ''] }]]
  const wasMember = others.includes(id)
  expect(await choose()).toEqual(saved)
  expect(chosen()).toEqual(wasMember ? others.filter((one) => one !== id) : [...others, id])
  expect(await choose()).toEqual(saved)
  expect(new Set(chosen() as unknown[])).toEqual(new Set(others))
})

inEveryDialect('a user is created and deleted, and addresses are unblocked', async ({ page, recorded }) => {
  await signIn(page)
  await page.goto('/dashboard/settings/user/create')
  await dialog(page).getByRole('textbox', { name: 'Username' }).fill('newcomer')
  await dialog(page).getByLabel('Password', { exact: true }).fill('long enough 1')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toBeHidden()
  expect(recorded.state.stored('user').at(-1)).toMatchObject({ username: 'newcomer', role: 1 })
  const row = page.getByRole('row').filter({ hasText: 'newcomer' })
  await row.getByRole('button', { name: 'Actions for newcomer' }).click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(row).toHaveCount(0)

  const blocked = recorded.state.stored('waf').length
  if (blocked === 0) return
  await navigate(page, '/dashboard/settings/waf')
  await expect(page.getByRole('table', { name: 'Blocked addresses' })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
  await page
    .getByRole('button', { name: /^(Delete|Unblock)/ })
    .first()
    .click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(Delete|Unblock)/ })
    .click()
  await expect.poll(() => recorded.state.stored('waf').length).toBe(0)
})

inEveryDialect('saving the settings keeps keys that this console does not know', async ({ page, recorded }) => {
  await signIn(page)
  await page.goto('/dashboard/settings?section=all')
  await page.getByRole('textbox', { name: 'Site name' }).fill('Bridge')
  await page
    .getByRole('textbox', { name: /^Real.?IP.*header/i })
    .first()
    .fill('X-Client-IP')
  await page.getByRole('button', { name: 'Review changes' }).click()
  // Such a server cannot say which address it would see behind the header.
  await dialog(page).getByRole('checkbox').check()
  await dialog(page).getByRole('button', { name: /^Save/ }).click()
  await expect.poll(() => recorded.state.updates.length).toBe(1)
  const [update] = recorded.state.updates
  const changes = update ? changesOf(update) : []
  // Under its old name the header was there already.
  expect(changes.filter((key) => !/real_ip_header/.test(key))).toEqual(['site_name'])
  expect(update?.body).toMatchObject({
    site_name: 'Bridge',
    real_ip_header: 'X-Client-IP',
    web_real_ip_header: 'X-Client-IP',
    from_tomorrow: { kept: [1, null, ''] },
  })
})

inEveryDialect('a task is run on demand', async ({ page, recorded, dialect }) => {
  await signIn(page)
  await page.goto('/dashboard/cron')
  const [task] = recorded.state.read('cron')
  await page
    .getByRole('button', { name: `Actions for ${task?.name}` })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Run now' }).click()
  const verb = dialect === 'current' ? 'POST' : 'GET'
  await expect.poll(() => recorded.calls.filter((call) => call.includes('/manual'))).toEqual([`${verb} cron/1/manual`])
})
