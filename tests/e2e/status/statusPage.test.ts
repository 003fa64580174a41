import { once } from 'node:events'
import type { BrowserContext, Page } from '@playwright/test'
import { startListener } from '../../support/fakes/listener.ts'
import { accessibilityFindings } from '../../support/journeys/accessibility.ts'
import { send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

// A server of its own: others would not expect its service, and here theirs.
test.use({ serverName: 'status' })

const site = { language: 'en-US', user_template: 'user-dist', web_real_ip_header: 'NZ::Use-Peer-IP' }
const setSite = (context: BrowserContext, changes: object) => send(context, 'PATCH', 'setting', { ...site, ...changes })

/** All that the page has and gets from now on, as text. */
function recordBytes(page: Page): string[] {
  const texts: string[] = []
  page.on('response', async (response) => {
    if (/html|json/.test(response.headers()['content-type'] ?? '')) texts.push(await response.text().catch(() => ''))
  })
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => texts.push(String(payload))))
  return texts
}

const summary = (page: Page) => page.getByRole('heading', { level: 1 })

test('a visitor sees the page change when a service goes down, and gets nothing else', async ({
  context,
  openBrowser,
}) => {
  await signIn(context)
  const [listener, target] = await startListener()
  const service = { type: 3, target, duration: 2, cover: 0, skip_servers: {}, notification_group_id: 0 }
  await send(context, 'POST', 'service', { ...service, name: 'Shop' })
  await send(context, 'POST', 'service', { ...service, name: 'hidden-service', hide_for_guest: true })
  await setSite(context, { site_name: 'Rack & Roll' })

  const visitor = await (await openBrowser({ signedIn: false })).newPage()
  const bytes = recordBytes(visitor)
  await visitor.goto('/')
  await expect(summary(visitor)).toHaveText('All systems are up')
  const services = visitor.getByRole('region', { name: 'Services' })
  await expect(services).toContainText(/Shop.*Up/)
  await expect(services.getByRole('img', { name: /^Last 30 days: / })).toBeVisible()
  await expect(visitor).toHaveTitle('Rack & Roll')
  await expect(visitor.getByText('No incidents in the last 14 days.')).toBeVisible()
  const icon = () => visitor.locator('link[rel=icon]').getAttribute('href')
  const iconBefore = await icon()

  await once(listener.close(), 'close')
  await expect(summary(visitor)).toHaveText(/^1 service is down since \d/)
  await expect(services).toContainText(/Shop.*Down since \d/)
  await expect(visitor).toHaveTitle(/^1 service is down since .* – Rack & Roll$/)
  await expect.poll(icon).not.toBe(iconBefore)
  const incidents = visitor.getByRole('region', { name: 'Incidents' })
  await expect(incidents).toContainText(/Shop is down.*connection refused/)

  const [host = '', port = ''] = target.split(':')
  expect(bytes.length).toBeGreaterThan(2)
  for (const secret of ['hidden-service', `${host}:${port}`, 'username']) expect(bytes.join('\n')).not.toContain(secret)
  expect(bytes.join('\n')).toContain('Shop')
  expect(await accessibilityFindings(visitor, 'the status page')).toEqual([])
})

test('a visitor finds servers, as cards and as a table, and sees the charts of one', async ({ context, page }) => {
  await signIn(context)
  await send(context, 'POST', 'server-group', { name: 'Rack 1', servers: [1] })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Rack 1' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Subscribe to the feed' })).toHaveAttribute('href', '/feed.atom')
  const search = page.getByRole('searchbox', { name: 'Search servers' })
  const card = page.getByRole('region', { name: 'Servers' }).getByRole('listitem')
  await expect(card).toHaveCount(1)
  await expect(card.getByRole('meter', { name: 'Memory' })).toHaveAttribute('aria-valuetext', /%, .* \/ /)
  await search.fill('no such server')
  await expect(page.getByText('No server matches.')).toBeVisible()
  await search.fill('')
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(page.getByRole('columnheader', { name: 'Uptime' })).toBeVisible()
  expect(await accessibilityFindings(page, 'the table of servers')).toEqual([])
  await page.reload()
  const measured = [1, 2, 3].map((minutes) => Date.now() - minutes * 60_000).reverse()
  await page.route('**/api/v1/server/1/service?*', (route) =>
    route.fulfill({
      json: { success: true, data: [{ monitor_name: 'Shop', created_at: measured, avg_delay: [4, null, 6] }] },
    }),
  )
  await page.getByRole('table').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/server\/1$/)
  await expect(page.getByRole('heading', { name: 'Last 24 hours' })).toBeVisible()
  await expect(page.getByRole('figure').filter({ hasText: 'CPU' })).toBeVisible()
  // A failed check is a gap, and not the best latency there is.
  await expect(page.getByRole('img', { name: 'Latency: Shop: 4 ms – 6 ms' })).toBeVisible()
  expect(await accessibilityFindings(page, 'the page of a server')).toEqual([])
  await page.getByRole('link', { name: 'All servers' }).click()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
})

test('the page speaks the language and has the theme that a visitor chooses', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await expect(page.getByRole('link', { name: 'Anmelden' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de-DE')
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.getByRole('combobox', { name: 'Design' }).selectOption('Dunkel')
  await expect.poll(ground).not.toBe(light)
  const dark = await ground()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Anmelden' })).toBeVisible()
  expect(await ground()).toBe(dark)
})

test('where no socket is let through, the page asks', async ({ page }) => {
  await page.routeWebSocket('**/ws/status', (socket) => socket.close())
  const polled = page.waitForResponse((response) => response.url().endsWith('/wheelhouse/status') && response.ok())
  await page.goto('/')
  await polled
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  await page.route('**/wheelhouse/status', (route) => route.fulfill({ json: { error: 'internal server error' } }))
  await expect(page.getByText(/^The connection is lost\. This is how it was at \d/)).toBeVisible()
})

test('without JavaScript the page has a sentence on how things are', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.address, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/')
  await expect(summary(page)).toHaveText(/^(All systems are up|1 service is down)/)
  await expect(page.getByText('Reload the page for the current state.')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: ': Online' })).toHaveCount(1)
  await context.close()
})

test('the code for visitors runs here and only here', async ({ context, page, openBrowser }) => {
  await signIn(context)
  await setSite(context, {
    custom_code: '<style>h1 { letter-spacing: 3px }</style><script>document.body.dataset.counted = "1"</script>',
  })
  const visitor = await (await openBrowser({ signedIn: false })).newPage()
  await visitor.goto('/')
  await expect(visitor.locator('body')).toHaveAttribute('data-counted', '1')
  await visitor.goto('/?safe=1')
  await expect(visitor.getByRole('combobox', { name: 'Language' })).toBeVisible()
  await expect(visitor.locator('body')).not.toHaveAttribute('data-counted')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Servers', level: 1 })).toBeVisible()
  await expect(page.locator('body')).not.toHaveAttribute('data-counted')
})
