import type { Locator, Page } from '@playwright/test'
import { accessibilityFindings } from '../../support/journeys/accessibility.ts'
import { call, send } from '../../support/journeys/apiCalls.ts'
import { boxOf } from '../../support/journeys/boxOf.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { navigate } from '../../support/journeys/navigate.ts'
import { allServers, serverList } from '../../support/journeys/serverList.ts'

test.use({ seeded: 2_000, hasTouch: true })

test.beforeEach(({ context }) => signIn(context))

const phone = { width: 390, height: 844 }

const cardsOf = (page: Page, list: string) => page.getByRole('list', { name: list, exact: true }).locator('> li')

async function openSheet(page: Page) {
  await page.getByRole('button', { name: 'Sort and select' }).click()
  const sheet = page.getByRole('dialog', { name: 'Sort and select' })
  await expect(sheet).toBeVisible()
  return sheet
}

async function closeSheet(page: Page) {
  const sheet = page.getByRole('dialog', { name: 'Sort and select' })
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
}

/** Where the middles of texts are, in pixels from the top, all at one moment: what comes above a card moves it. */
async function middlesOf(card: Locator, lines: readonly (readonly (string | RegExp)[])[]): Promise<number[][]> {
  const elements = await Promise.all(lines.flat().map((text) => card.getByText(text).first().elementHandle()))
  const middles = await card.evaluate(
    (_, found) =>
      found.map((element) => {
        const { top, height } = (element as HTMLElement).getBoundingClientRect()
        return top + height / 2
      }),
    elements,
  )
  return lines.map(({ length }) => middles.splice(0, length))
}

const pageIsTooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

test('on a phone a server is a card of three lines that opens, with its actions', async ({ page }) => {
  await page.setViewportSize(phone)
  await page.goto('/dashboard?filter={"q":"proxy-vir"}')
  const cards = cardsOf(page, 'Servers')
  await expect(cards).toHaveCount(10)
  await expect(page.getByRole('table')).toHaveCount(0)
  const first = cards.first()
  await expect(first).toHaveText(/^proxy-vir.*Offline.*CPU.*Memory.*Disk\d+%Virginia10\./)

  // Three lines: name and state, meters, group and address; each beside, not below, what it shares its line with.
  const lines = await middlesOf(first, [
    [/^proxy-vir/, /^Offline/],
    ['CPU', 'Memory', 'Disk'],
    ['Virginia', /^10\./],
  ])
  for (const line of lines) expect(Math.max(...line) - Math.min(...line)).toBeLessThan(8)
  expect(lines.map(([start]) => start)).toEqual(lines.map(([start]) => start).toSorted((a, b) => Number(a) - Number(b)))
  // For how long it has been offline stands beside the name, and not below it once more.
  await expect(first.getByText('No report')).toHaveCount(0)
  await expect.poll(async () => (await boxOf(first)).height).toBeLessThan(145)
  await expect.poll(() => pageIsTooWide(page)).toBe(0)
  expect(await accessibilityFindings(page, 'cards of servers')).toEqual([])
  await page.setViewportSize(phone)

  // The other columns unfold.
  await expect(first.getByText('Last seen')).toHaveCount(0)
  await first.getByRole('button', { name: /^Details of proxy-vir/ }).click()
  await expect(first.getByText('Last seen')).toBeVisible()
  await expect.poll(() => pageIsTooWide(page)).toBe(0)
  await first.getByRole('button', { name: /^Details of proxy-vir/ }).click()
  await expect(first.getByText('Last seen')).toHaveCount(0)

  await first.getByRole('button', { name: /^Actions for proxy-vir/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await page.keyboard.press('Escape')
  await first.getByText('CPU').tap()
  await expect(page).toHaveURL(/\/dashboard\/server\/\d+\/overview/)
  await expect(page.getByRole('heading', { name: /proxy-vir/ })).toBeVisible()
})

test('on a phone a finger hits the tabs of a form and what shows more records', async ({ page, context }) => {
  await page.setViewportSize(phone)
  const servers = (await allServers(page)).slice(0, 12).map(({ id }) => id)
  const task = { task_type: 0, scheduler: '0 0 3 * * *', command: 'true', servers, cover: 0, notification_group_id: 0 }
  for (let number = 1; number <= 9; number++) await send(context, 'POST', 'cron', { ...task, name: `Task ${number}` })
  const heightOf = async (name: string | RegExp, role: 'tab' | 'button') =>
    (await boxOf(page.getByRole(role, { name }).first())).height

  await page.goto(`/dashboard/server/${servers[0]}`)
  for (const name of ['Settings', 'History']) expect(await heightOf(name, 'tab'), name).toBeGreaterThanOrEqual(44)

  await page.goto(`/dashboard/server/${servers[0]}/overview`)
  expect(await heightOf('+ 1 more', 'button')).toBeGreaterThanOrEqual(44)
})

test('on a phone a finger hits what shows the password at the sign-in', async ({ page, context }) => {
  await context.clearCookies()
  await page.setViewportSize(phone)
  await page.goto('/dashboard/login')
  const { width, height } = await boxOf(page.getByRole('button', { name: 'Show password' }))
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
})

test('on a phone the name of a card stands apart from what is beside it, and a time breaks before its hour', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await page.goto('/dashboard?filter={"q":"proxy-vir"}')
  const head = cardsOf(page, 'Servers').first().locator('> header')
  const name = await boxOf(head.locator('.name'))
  expect((await boxOf(head.locator('.beside'))).x - name.right).toBeGreaterThanOrEqual(12)

  await page.goto('/dashboard/settings/user')
  const seen = page
    .locator('main li[data-row] dd')
    .filter({ hasText: /^\w{3} \d+, 20\d\d/ })
    .first()
  const last = await seen.evaluate((cell) => {
    const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode() as Text
    const range = document.createRange()
    const topAt = (index: number) => {
      range.setStart(text, index)
      range.setEnd(text, index + 1)
      return range.getBoundingClientRect().top
    }
    const { length } = text.data
    return { hour: topAt(text.data.lastIndexOf(':') - 1), end: topAt(length - 1) }
  })
  expect(last.end).toBe(last.hour)
})

test('on a phone the card of a blocked address says what its time is', async ({ page, context }) => {
  await page.setViewportSize(phone)
  await call(context, 'POST', 'online-user/batch-block', ['198.51.100.7'])
  await page.goto('/dashboard/settings/waf')
  await expect(cardsOf(page, 'Blocked addresses').filter({ hasText: '198.51.100.7' })).toHaveText(
    /Blocked until\s*Permanently/,
  )
})

test('on a phone the calendar of a rota shows names as a whole', async ({ page, context }) => {
  await page.setViewportSize(phone)
  const user = await send(context, 'POST', 'user', { username: 'jonathan', password: 'a long password', role: 1 })
  const times = { handover: 0, weekday: 0, handover_at: '00:00', time_zone: 'UTC', starts_on: '2026-01-05' }
  const form = { ...times, name: 'nights', people: [1, user], overrides: [] }
  const id = await send(context, 'POST', 'wheelhouse/rotas', form)
  await page.goto(`/dashboard/rota/${id}/overview`)
  const day = page.locator('.line > span', { hasText: 'jonathan' }).nth(1)
  await expect(day).toBeVisible()
  const room = await day.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
    clientWidth - scrollWidth,
    clientHeight - scrollHeight,
  ])
  expect(Math.min(...room)).toBeGreaterThanOrEqual(0)
})

test('on a phone the actions of a selection stay at the bottom', async ({ page }) => {
  await page.setViewportSize(phone)
  await page.goto('/dashboard')
  await cardsOf(page, 'Servers').first().getByRole('checkbox').click()
  await expect(page.getByText('1 selected')).toBeVisible()
  const bar = page.getByRole('button', { name: 'Delete selected' })
  for (const scrolled of [0, 300, 600]) {
    await page.evaluate((top) => window.scrollTo(0, top), scrolled)
    await expect(async () => {
      const { y, bottom } = await boxOf(bar)
      expect(y).toBeGreaterThan(phone.height - 130)
      expect(bottom).toBeLessThanOrEqual(phone.height)
    }).toPass()
  }
})

test('on a phone every list has the sheet for what it offers', async ({ page }) => {
  await page.setViewportSize(phone)
  await page.goto('/dashboard/service')
  for (const [path, name, offered] of [
    ['service', 'Services', { selects: true, sorts: true }],
    ['alert-rule', 'Alert rules', { selects: true, sorts: true }],
    ['server-group', 'Server groups', { selects: true, sorts: true }],
    ['settings/user', 'Users', { selects: true, sorts: true }],
    ['settings/waf', 'Blocked addresses', { selects: true, sorts: false }],
    ['settings/online-user', 'Online users', { selects: true, sorts: false }],
  ] as const) {
    await navigate(page, `/dashboard/${path}`)
    await expect(page.getByRole('heading', { level: 1, name: new RegExp(`^${name}`) })).toBeVisible()
    const sheet = await openSheet(page)
    await expect(sheet.getByRole('checkbox', { name: 'Select all rows on this page' })).toHaveCount(
      Number(offered.selects),
    )
    await expect(sheet.getByRole('radiogroup', { name: 'Sort by' })).toHaveCount(Number(offered.sorts))
    await closeSheet(page)
  }
})

test('from 890 px on a list is a table, below it has cards and the sheet', async ({ page }) => {
  await page.setViewportSize({ width: 890, height: 800 })
  await page.goto('/dashboard')
  await expect(serverList(page).rows).toHaveCount(10)
  await expect(page.getByRole('button', { name: 'Sort and select' })).toHaveCount(0)
  await page.setViewportSize({ width: 889, height: 800 })
  await expect(cardsOf(page, 'Servers')).toHaveCount(10)
  await expect(page.getByRole('button', { name: 'Sort and select' })).toBeVisible()
})

test.describe(() => {
  test.use({ seeded: 10_000 })

  test('on a phone a sheet sorts 10,000 servers and selects all of a page', async ({ page }) => {
    await page.setViewportSize(phone)
    await page.goto('/dashboard')
    const names = () =>
      cardsOf(page, 'Servers')
        .getByRole('link', { name: /^\w+-\w+-\d+$/ })
        .allInnerTexts()
    const sheet = await openSheet(page)
    await expect.poll(async () => Math.round((await boxOf(sheet)).bottom)).toBe(phone.height)
    expect(await accessibilityFindings(page, 'the sheet')).toEqual([])
    await page.setViewportSize(phone)

    // The address says the order, and the radio buttons follow it.
    const choose = async (name: string) => {
      const radio = page.getByRole('dialog').getByRole('radio', { name, exact: true })
      await radio.tap()
      await expect(radio).toBeChecked()
    }
    await choose('ID')
    await choose('Descending')
    await sheet.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await closeSheet(page)
    await expect(page).toHaveURL(/sort=id.*order=DESC/)
    await expect.poll(async () => Number((await names())[0]?.split('-').at(-1))).toBeGreaterThan(9_980)
    await expect(page.getByText('10 selected')).toBeVisible()
    // Another journey may have deleted some.
    const { length: total } = await allServers(page)
    expect(total).toBeGreaterThan(9_000)
    const all = String(total).replace(/(?=\d{3}$)/, ',?')
    await page.getByRole('button', { name: new RegExp(`^Select all ${all} matching$`) }).click()
    await expect(page.getByText(new RegExp(`^${all} selected$`))).toBeVisible()

    await openSheet(page)
    await choose('Name')
    await closeSheet(page)
    await expect.poll(async () => (await names())[0]).toMatch(/^backup-ams/)
    const shown = await names()
    expect(shown).toEqual(shown.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })))
  })
})
