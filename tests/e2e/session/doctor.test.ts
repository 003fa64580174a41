import type { Page } from '@playwright/test'
import { runAxe } from '../../support/journeys/accessibility.ts'
import { enter, expect, inEveryDialect, test } from '../../support/journeys/recordedJourney.ts'
import { signInByForm } from '../../support/journeys/signInForm.ts'

const item = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

const done = (page: Page) => expect(page.getByRole('button', { name: 'Copy report' })).toBeVisible()

const ages = { 'v1.10.8': 'Nezha server of v1', 'v1.14.14': 'Nezha server of v1', current: 'v2.1.0 or newer' } as const

inEveryDialect(
  'the connection check shows the server version and which features are hidden',
  async ({ page, dialect, faults }) => {
    await enter(page)
    await page.goto('/dashboard/doctor')
    await done(page)
    await expect(item(page, 'Server')).toContainText(ages[dialect])
    await expect(item(page, 'Server')).toContainText('Audit log')
    const isCurrent = dialect === 'current'
    await expect(item(page, 'Server').getByText('API tokens')).toHaveCount(isCurrent ? 0 : 1)
    await expect(item(page, 'CSRF protection')).toContainText(
      isCurrent ? 'Cookie and header match' : 'older than v2.1.0',
    )
    for (const name of ['API', 'Cookies', 'Clocks', 'WebSocket']) {
      await expect(item(page, name).getByRole('img', { name: 'Good' })).toBeVisible()
    }
    await expect(item(page, 'Your address')).toContainText('sees no client addresses')
    await item(page, 'Your address').getByText('Lines for the proxy').click()
    await expect(item(page, 'Your address')).toContainText('proxy_set_header X-Real-IP $remote_addr;')
    // Old servers answer newer calls with 404, which the browser notes.
    faults.splice(0, faults.length, ...faults.filter((fault) => isCurrent || !/404/.test(fault)))
  },
)

test('the connection check needs no session, explains a wrong proxy configuration, and is accessible', async ({
  page,
  faults,
}) => {
  await page.route('**/api/v1/**', (route) => route.fulfill({ status: 200, body: '<h1>Welcome to nginx!</h1>' }))
  await page.goto('/dashboard/login')
  await signInByForm(page, 'admin', 'admin')
  const link = page.getByRole('link', { name: 'Check the connection' })
  await expect(link).toHaveAttribute('href', '/dashboard/doctor')
  await page.goto('/dashboard/doctor')
  await done(page)
  await expect(item(page, 'API')).toContainText('a web page with status 200 instead of JSON')
  await item(page, 'API').getByText('Lines for the proxy').click()
  await expect(item(page, 'API')).toContainText('proxy_pass http://127.0.0.1:8008;')
  const violations = await runAxe(page)
  expect(violations.map(({ id }) => id)).toEqual([])

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy report' }).click()
  await expect(page.getByText(/^Copied\./)).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('[bad] api: api_page')

  // The same address, a better proxy.
  await page.unroute('**/api/v1/**')
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(item(page, 'WebSocket').getByRole('img', { name: 'Good' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de-DE')
  await expect(page.getByRole('heading', { name: 'Verbindung prüfen' })).toBeVisible()
  expect(faults).toEqual([])
})
