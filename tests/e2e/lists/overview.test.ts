import { once } from 'node:events'
import type { Page } from '@playwright/test'
import { startListener } from '../../support/fakes/listener.ts'
import { accessibilityFindings } from '../../support/journeys/accessibility.ts'
import { send } from '../../support/journeys/apiCalls.ts'
import { boxOf } from '../../support/journeys/boxOf.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { navigate } from '../../support/journeys/navigate.ts'

const refresh = (page: Page) => page.getByRole('button', { name: 'Refresh' }).click()

const row = (page: Page) => page.getByRole('table', { name: 'Services' }).getByRole('row', { name: /Listener/ })

/** Follows the name of a record in the list on screen to its page. */
async function openOverview(page: Page, name: RegExp) {
  await page.getByRole('table').getByRole('link', { name }).first().click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  return page.getByRole('main')
}

/** Whether anything of that colour was drawn on a canvas. */
const isPainted = (page: Page, [red, green, blue]: readonly number[]) =>
  page
    .locator('canvas')
    .first()
    .evaluate(
      (canvas: HTMLCanvasElement, wanted) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
        for (let at = 0; at < data.length; at += 4) {
          if (wanted.every((part, index) => part === data[at + index]) && data[at + 3] === 255) return true
        }
        return false
      },
      [red, green, blue],
    )

test('a service on this machine has a latency chart, and is shown as down when it has stopped', async ({
  page,
  context,
}) => {
  await signIn(context)
  const [listener, target] = await startListener()
  try {
    const service = { name: 'Listener', type: 3, target, cover: 0, skip_servers: {}, notification_group_id: 0 }
    // The form asks for 30 s at least; other programs may choose less.
    await send(context, 'POST', 'service', { ...service, duration: 2 })
    await page.goto('/dashboard/service')
    await expect(async () => {
      await refresh(page)
      await expect(row(page)).toContainText(/Up.*100% · [\d.]+ ms/, { timeout: 1000 })
    }).toPass()

    const main = await openOverview(page, /^Listener/)
    await expect(main.getByText('100% up', { exact: true })).toBeVisible()
    await expect(main.getByRole('region', { name: 'Latency', exact: true })).toContainText(/Up100%.*ms/)
    // The line has the console's own colour.
    await expect.poll(() => isPainted(page, [0x0f, 0x76, 0x6e])).toBe(true)
    const slider = main.getByRole('slider', { name: 'Point in time' })
    await slider.focus()
    await page.keyboard.press('Home')
    await expect(slider).toHaveAttribute('aria-valuetext', /, .+ [\d.]+ ms$/)
    await expect(main.getByText('No outage in this period.')).toBeVisible()
  } finally {
    await once(listener.close(), 'close')
  }

  await navigate(page, '/dashboard/service')
  await expect(async () => {
    await refresh(page)
    await expect(row(page)).toContainText('Down', { timeout: 1000 })
  }).toPass()
  const main = await openOverview(page, /^Listener/)
  await expect(main.getByText(/^Down since /)).toBeVisible()
  await expect(main.getByRole('list', { name: 'What is wrong now' })).toContainText(/refused/i)
  const outages = main.getByRole('region', { name: 'Outages' }).getByRole('listitem')
  await expect(outages).toHaveText([/still down.*refused.*seen from/i])
  expect(await accessibilityFindings(page, 'the page of a service')).toEqual([])
})

test('a server has a page with all its charts, which zoom together and keep that in the address', async ({
  page,
  context,
}) => {
  await signIn(context)
  await page.goto('/dashboard')
  const main = await openOverview(page, /./)
  await expect(main.getByText('Online').first()).toBeVisible()
  const chart = (name: string) => main.getByRole('region', { name, exact: true })
  await expect(chart('CPU')).toContainText(/Last.*%/, { timeout: 90_000 })
  await expect(chart('Memory')).toContainText(/Last.*iB/)
  await main.getByRole('button', { name: '7 days' }).click()
  await expect(page).toHaveURL(/period=7d$/)

  // A new server's charts show at least ten minutes: dragging over most of them zooms in.
  await expect(main.locator('[aria-busy=true]')).toHaveCount(0)
  const plot = main.locator('.u-over').first()
  // The chart of the other period takes the place of the one before.
  await plot.hover()
  const box = await boxOf(plot)
  await page.mouse.move(box.x + box.width * 0.2, box.y + 40)
  await page.mouse.down()
  // A chart that has to be drawn anew waits for the end of the drag.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.mouse.move(box.x + box.width * 0.95, box.y + 60, { steps: 8 })
  await page.mouse.up()
  await expect(page).toHaveURL(/period=7d&from=\d+&to=\d+$/)
  const address = page.url()
  await page.reload()
  await expect(main.getByRole('button', { name: 'Whole period' })).toBeVisible()
  expect(page.url()).toBe(address)
  await main.locator('.u-over').first().dblclick()
  await expect(page).toHaveURL(/period=7d$/)
  expect(await accessibilityFindings(page, 'the page of a server')).toEqual([])

  // On paper there is no dark ground, in charts neither, and nothing to click.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect.poll(() => isPainted(page, [0x0f, 0x76, 0x6e])).toBe(true)
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(main.getByRole('toolbar')).toHaveCount(0)
  await expect(main.getByRole('button', { name: 'Enlarge CPU' })).toHaveCount(0)
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect.poll(() => isPainted(page, [0x2d, 0xd4, 0xbf])).toBe(true)

  await chart('CPU').getByRole('button', { name: 'Enlarge CPU' }).press('Enter')
  const large = page.getByRole('dialog')
  await expect(large.getByRole('slider', { name: 'Point in time' })).toBeAttached()
  await expect.poll(async () => (await boxOf(large.locator('canvas'))).width).toBeGreaterThan(1000)
  await expect(page).toHaveURL(/chart=cpu/)
  expect(await accessibilityFindings(page, 'a large chart')).toEqual([])
  await page.goBack()
  await expect(large).toHaveCount(0)
  await expect(page).toHaveURL(/overview\?period=7d$/)
})

test('the page of a server is usable on a phone and with the keyboard alone', async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(context)
  await page.goto('/dashboard/server/1/overview')
  const main = page.getByRole('main')
  await expect(main.getByText('Online').first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const edit = main.getByRole('link', { name: /^Edit / })
  await edit.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/dashboard\/server\/1\/overview$/)
  await main.getByRole('link', { name: /^Open the files of / }).focus()
  const [terminal] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')])
  await expect(terminal.getByRole('button', { name: 'Files', exact: true })).toHaveAttribute('aria-pressed', 'true')
})
