import type { Page } from '@playwright/test'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { send } from '../../support/journeys/apiCalls.ts'
import { test } from '../../support/journeys/fleet.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'
import { allServers, read, serverList } from '../../support/journeys/serverList.ts'
import { configFileIn } from '../../support/server/process/configFile.ts'

test.use({ running: ['anchor', 'buoy', 'capstan'] })

test.beforeEach(async ({ context }) => {
  await signIn(context)
})

const dialog = (page: Page) => page.getByRole('dialog')

async function save(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toBeHidden()
}

async function idsOf(page: Page, ...names: string[]): Promise<number[]> {
  await expect.poll(async () => (await allServers(page)).length).toBe(3)
  const servers = await allServers(page)
  return names.map((name) => servers.find((server) => server.name === name)?.id ?? 0)
}

test('a service is checked by all servers but two', async ({ page }) => {
  const [buoy, capstan] = await idsOf(page, 'buoy', 'capstan')
  const name = 'Shop of the department with the longest name in the whole house and yet one word more'
  await page.goto('/dashboard/service/create')
  const form = dialog(page)
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('textbox', { name: 'Target' }).fill('https://shop.example.com/')
  const skipped = form.getByRole('combobox', { name: /^Specific servers/ })
  for (const server of ['buoy', 'capstan']) {
    await skipped.fill(server)
    await page.getByRole('option', { name: server }).click()
  }
  await expect(form.getByText('2 of 3 chosen')).toBeVisible()
  await form.getByRole('textbox', { name: 'Name' }).click()
  await save(page)
  const row = page.getByRole('table', { name: 'Services' }).getByRole('row', { name: /Shop/ })
  await expect(row).toContainText('buoy, capstan')

  // On a phone its long name gives way; nothing makes the page wider than the screen.
  await page.setViewportSize({ width: 390, height: 844 })
  const card = page.getByRole('list', { name: 'Services' }).getByRole('listitem')
  await card.getByRole('button', { name: /^Details of Shop/ }).click()
  await expect(card).toContainText('buoy, capstan')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  expect(await read<unknown[]>(page, 'service/list')).toMatchObject([
    { name, cover: 0, skip_servers: { [String(buoy)]: true, [String(capstan)]: true } },
  ])
})

test('an alert rule made in the builder, edited as JSON and opened in the builder again keeps all its values', async ({
  page,
}) => {
  const [buoy] = await idsOf(page, 'buoy')
  await page.goto('/dashboard/alert-rule/create')
  const form = dialog(page)
  await form.getByRole('textbox', { name: 'Name' }).fill('High load')
  await form.getByRole('button', { name: 'Add rule' }).click()
  const rule = form.getByRole('region', { name: 'Rule 1' })
  await rule.getByRole('textbox', { name: 'Maximum', exact: true }).fill('95')
  await save(page)

  const list = page.getByRole('table', { name: 'Alert rules' })
  const open = () => list.getByRole('link', { name: 'High load', exact: true }).click()
  await open()
  await form.getByRole('button', { name: 'JSON' }).click()
  const text = form.getByRole('textbox', { name: 'JSON' })
  const [built] = JSON.parse(await text.inputValue())
  expect(built).toMatchObject({ type: 'cpu', max: 95, duration: 10, cover: 0 })
  const changed = { ...built, max: 80, ignore: { [String(buoy)]: true }, remark: 'from the text' }
  await text.fill(JSON.stringify([changed]))
  await save(page)

  await open()
  await expect(rule.getByRole('textbox', { name: 'Maximum', exact: true })).toHaveValue('80')
  await expect(rule).toContainText('CPU use stays above 80% for about 30 s, on all servers except buoy')
  await rule.getByRole('textbox', { name: 'Samples' }).fill('20')
  await save(page)
  expect(await read<unknown[]>(page, 'alert-rule')).toMatchObject([
    { name: 'High load', enable: true, rules: [{ ...changed, duration: 20 }] },
  ])
})

test('a notifier keeps its hidden URL, headers and body when it is edited twice', async ({ page }) => {
  const receiver = await createReceiver()
  try {
    await page.goto('/dashboard/notification/create')
    const form = dialog(page)
    await form.getByRole('textbox', { name: 'Name' }).fill('Chat')
    await form.getByRole('textbox', { name: 'URL' }).fill(`${receiver.origin}/hook?key=hush`)
    await form.getByLabel('Request method').selectOption('POST')
    await form.getByRole('button', { name: 'Add pair' }).click()
    await form.getByRole('textbox', { name: /: Name$/ }).fill('X-Token')
    await form.getByRole('textbox', { name: /: Value$/ }).fill('secret header')
    await form.getByRole('textbox', { name: 'Request body' }).fill('{"text":"secret body: #NEZHA#"}')
    await save(page)
    for (const [before, after] of [
      ['Chat', 'Chat of the crew'],
      ['Chat of the crew', 'Crew'],
    ] as const) {
      await page.getByRole('link', { name: before, exact: true }).click()
      await expect(form.getByText('Stored. Leave empty to keep it.')).toBeVisible()
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill(after)
      await save(page)
    }
    expect(await read<unknown[]>(page, 'notification')).toMatchObject([{ name: 'Crew', url: '' }])
    // Every save sent its test message, each with all of the first.
    expect(receiver.deliveries).toHaveLength(3)
    for (const { method, url, headers, body } of receiver.deliveries) {
      expect([method, url, headers['x-token']]).toEqual(['POST', '/hook?key=hush', 'secret header'])
      expect(body).toContain('secret body: ')
    }
  } finally {
    receiver.close()
  }
})

test('one configuration key is changed on three machines, and each keeps its other keys', async ({
  page,
  runningMachines,
}) => {
  await idsOf(page)
  const list = serverList(page)
  await page.goto('/dashboard')
  await expect(list.rows).toHaveCount(3)
  await list.selectPage()
  await page.getByRole('button', { name: 'Edit config' }).click()
  const form = dialog(page)
  await form.getByRole('checkbox', { name: 'Change: Report interval (s)' }).check()
  await form.getByRole('textbox', { name: 'Report interval (s)' }).fill('4')
  await form.getByRole('button', { name: 'Compare' }).click()
  for (const { name } of runningMachines) await expect(form.getByRole('table')).toContainText(name)
  await form.getByRole('button', { name: 'Send to 3 servers' }).click()
  await expect(form.getByText('Done for 3 of 3 servers')).toBeVisible()
  for (const { name, folder } of runningMachines) {
    const own = { client_secret: `secret of ${name}`, nic_allowlist: { [name]: true } }
    expect(JSON.parse(configFileIn(folder).read() ?? '')).toMatchObject({ ...own, report_delay: 4 })
  }
})

test('25 blocked addresses are paged by the URL, and the back button goes through the pages', async ({
  page,
  context,
}) => {
  const addresses = Array.from({ length: 25 }, (_, index) => `198.51.100.${index + 1}`)
  await send(context, 'POST', 'online-user/batch-block', addresses)

  const rows = page.getByRole('table', { name: 'Blocked addresses' }).locator('tbody').getByRole('row')
  const shown = () => rows.locator('td:nth-child(2)').allInnerTexts()
  await page.goto('/dashboard/settings/waf?page=1&pageSize=10')
  await expect(rows).toHaveCount(10)
  await expect(page.getByText('Total: 25')).toBeVisible()
  const first = await shown()
  await page.getByRole('button', { name: 'Next page' }).click()
  const query = () => ['page', 'pageSize'].map((key) => new URL(page.url()).searchParams.get(key))
  await expect.poll(query).toEqual(['2', '10'])
  let second: string[] = []
  await expect(async () => {
    second = await shown()
    expect(second.filter((text) => !first.includes(text))).toHaveLength(10)
  }).toPass()
  await page.goto('/dashboard/settings/waf?page=3&pageSize=10')
  await expect(rows).toHaveCount(5)
  const third = await shown()
  expect(new Set([...first, ...second, ...third].map((text) => text.trim()))).toEqual(new Set(addresses))

  await page.goBack()
  await expect.poll(query).toEqual(['2', '10'])
  await expect.poll(shown).toEqual(second)
  await page.goBack()
  await expect.poll(shown).toEqual(first)
  await page.getByLabel('Rows per page').selectOption('20')
  await expect.poll(query).toEqual(['1', '20'])
  await expect(rows).toHaveCount(20)
})
