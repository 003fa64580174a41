import type { Locator } from '@playwright/test'
import { send } from '../../support/journeys/apiCalls.ts'
import { boxOf } from '../../support/journeys/boxOf.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { serverList } from '../../support/journeys/serverList.ts'

test.use({ seeded: 30, contextOptions: { reducedMotion: 'no-preference' } })

test.beforeEach(({ context }) => signIn(context))

const backgroundOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).backgroundColor)

const isOpaque = (colour: string) => /^rgb\(/.test(colour)

test('a selected row has one colour to its end, its actions included, in light and in dark', async ({ page }) => {
  const list = serverList(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/dashboard')
    const row = list.rows.first()
    const plain = await backgroundOf(row)
    await row.getByRole('checkbox').click()
    // The pointer is still on it. Colours may change gradually.
    await expect(async () => {
      const colours = await Promise.all([row, row.getByRole('cell').last()].map(backgroundOf))
      expect(new Set([plain, ...colours]).size).toBe(2)
      expect(new Set(colours).size).toBe(1)
      // What scrolls below the actions must not shine through them.
      expect(colours.every(isOpaque)).toBe(true)
    }).toPass()
  }
})

test('numbers stand below their headings, at the same edge', async ({ page }) => {
  await page.goto('/dashboard')
  await expect(async () => {
    const heading = await boxOf(serverList(page).heading('Traffic').getByText('Traffic'))
    const values = await boxOf(page.locator('.cell-traffic').first())
    expect(Math.abs(values.right - heading.right)).toBeLessThan(2)
  }).toPass()
})

test('switches of a form begin where labels and fields begin', async ({ page }) => {
  await page.goto('/dashboard/service/create')
  const dialog = page.getByRole('dialog')
  const field = await boxOf(dialog.getByRole('textbox', { name: 'Name' }))
  const switches = await dialog.locator('.MuiSwitch-root').all()
  expect(switches.length).toBeGreaterThan(1)
  for (const one of switches) {
    for (const part of [
      one,
      one.getByRole('switch'),
      one.locator('.MuiSwitch-thumb'),
      one.locator('.MuiSwitch-track'),
    ]) {
      expect((await boxOf(part)).x).toBeGreaterThanOrEqual(Math.floor(field.x) - 1)
    }
    // The whole of it can be pressed.
    const before = await one.getByRole('switch').isChecked()
    const { width, height } = await boxOf(one)
    for (const [x, after] of [
      [1, !before],
      [width - 1, before],
    ] as const) {
      await one.click({ position: { x, y: height / 2 } })
      await expect(one.getByRole('switch')).toBeChecked({ checked: after })
    }
  }
})

test('a list without results says so in the middle of the window, not of columns out of sight', async ({ page }) => {
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/dashboard?filter={"q":"no such server"}')
    await expect(async () => {
      const text = await boxOf(page.getByText('No results'))
      expect(Math.abs(text.x + text.width / 2 - width / 2)).toBeLessThan(2)
    }).toPass()
  }
})

test('a selection moves no row, and the head of the table stays below the header', async ({ page }) => {
  const list = serverList(page)
  for (const width of [1440, 1024, 891]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto('/dashboard?pageSize=50')
    await expect(list.rows).toHaveCount(31)
    // What is wrong comes after the rows, and may move them.
    await expect(page.getByRole('list', { name: 'What is wrong now' })).toBeVisible()
    const before = await boxOf(list.rows.nth(2))
    await list.rows.nth(2).getByRole('checkbox').check()
    await expect(list.deleteSelected).toBeVisible()
    expect(await boxOf(list.rows.nth(2))).toEqual(before)
    const bar = await boxOf(list.deleteSelected)
    expect(bar.bottom).toBeLessThan(before.y)
    expect(bar.right).toBeLessThan(width)
    // What is below the bar can be reached by its key.
    await page.keyboard.press('/')
    await expect(list.search).toBeFocused()
    await page.evaluate(() => window.scrollTo(0, 500))
    await expect.poll(async () => Math.round((await boxOf(list.heading('Name'))).y)).toBe(56)
  }
})

test('while a screen comes, what is there already stays where it is', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const [path, last] of [
    ['', page.getByText('Total: 31')],
    ['/service', page.getByText('Total: 0')],
    ['/cron', page.getByText('Total: 0')],
    ['/settings', page.getByRole('button', { name: 'Review changes' })],
    ['/profile', page.getByRole('heading', { name: 'API tokens' })],
    ['/server/1/overview', page.getByRole('heading', { name: 'Related' })],
  ] as const) {
    await page.goto(`/dashboard${path}`)
    await expect(last).toBeVisible()
    await page.waitForLoadState('networkidle')
    const shift = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
    )
    expect(shift, path).toBeLessThan(0.02)
  }
})

test('a name in Arabic begins at its right end, and is cut at its own end', async ({ page, context }) => {
  const name = 'خادم قاعدة البيانات الرئيسي في مركز البيانات الشمالي الكبير'
  await send(context, 'POST', 'ddns', {
    name,
    provider: 'dummy',
    domains: ['a.example.org'],
    max_retries: 3,
    enable_ipv4: true,
  })
  await page.goto('/dashboard/ddns')
  const cell = page.getByRole('table').getByRole('cell').filter({ hasText: name }).first()
  await expect(cell).toBeVisible()
  const first = await cell.evaluate((element) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
    const range = document.createRange()
    range.setStart(text, 0)
    range.setEnd(text, 1)
    return range.getBoundingClientRect().right
  })
  const { right } = await boxOf(cell)
  expect(first).toBeLessThanOrEqual(right)
})

test('the message of a wrong field at the end of a long form is in sight with the field', async ({ page, context }) => {
  const domains = ['a.example.org']
  const webhook = {
    provider: 'webhook',
    webhook_url: 'https://example.org/',
    webhook_method: 1,
    webhook_request_type: 1,
  }
  const id = await send(context, 'POST', 'ddns', { name: 'Hook', domains, max_retries: 3, ...webhook })
  await page.goto(`/dashboard/ddns/${id}`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Webhook headers/).fill('no JSON')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 })
})

test('the plan of a configuration file is in sight when it comes', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 700 })
  await page.goto('/dashboard/settings/configuration')
  await page.getByRole('textbox', { name: 'Configuration (YAML)' }).fill('cron: [')
  await page.getByRole('button', { name: 'Show plan' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Line 1' })).toBeInViewport({ ratio: 1 })
})
