import { accessibilityFindings } from '../../support/journeys/accessibility.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

// A server of its own: a revoked token blocks its address for some seconds.
test.use({ serverName: 'api-tokens' })

test('somebody makes a token with one scope, a program uses it, its last use is shown, and it is revoked', async ({
  page,
  context,
  playwright,
  server,
}) => {
  await signIn(context)
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Show: API tokens' }).click()
  const section = page.getByRole('region', { name: 'API tokens' })
  await section.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('inventory')
  await dialog.getByRole('combobox', { name: 'Scopes' }).fill('inventory:read')
  await page.getByRole('option', { name: 'nezha:inventory:read' }).click()
  await page.keyboard.press('Escape')
  expect(await accessibilityFindings(page, 'form of a token')).toEqual([])
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('dialog', { name: 'Token created' })
  const secret = String(await shown.locator('code').textContent())
  expect(secret).toMatch(/^nzp_/)
  await shown.getByRole('button', { name: 'Close' }).click()

  // A program has no cookies, and sends no CSRF header.
  const program = await playwright.request.newContext({
    baseURL: server.address,
    extraHTTPHeaders: { Authorization: `Bearer ${secret}` },
  })
  const list = await program.get('/api/v1/server')
  expect(await list.json()).toMatchObject({ success: true, data: [{ id: 1 }] })
  const other = await program.post('/api/v1/terminal', { data: { server_id: 1 } })
  expect([other.status(), await other.json()]).toEqual([
    403,
    { error: 'ApiErrorForbidden: api token lacks scope nezha:server:exec' },
  ])

  await page.reload()
  await page.getByRole('button', { name: 'Show: API tokens' }).click()
  const row = section.getByRole('row', { name: /inventory/ })
  await expect(row).toContainText('127.0.0.1')
  expect(await accessibilityFindings(page, 'list of tokens')).toEqual([])
  // On a phone each value stands below the other, and nothing has to be scrolled sideways.
  await page.setViewportSize({ width: 390, height: 844 })
  await row.scrollIntoViewIfNeeded()
  await expect(row.getByText('nezha:inventory:read')).toBeInViewport({ ratio: 1 })
  await expect(row.getByRole('button', { name: 'Revoke inventory' })).toBeInViewport({ ratio: 1 })
  const hidden = (element: Element) => element.scrollWidth - element.clientWidth
  expect([await section.evaluate(hidden), await section.locator('table').evaluate(hidden)]).toEqual([0, 0])
  await page.setViewportSize({ width: 1280, height: 800 })
  await row.getByRole('button', { name: 'Revoke inventory' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(section).toContainText('You have no API tokens.')
  const after = await program.get('/api/v1/server')
  expect([after.status(), await after.json()]).toEqual([401, { error: 'ApiErrorUnauthorized: invalid api token' }])
  await program.dispose()
})
