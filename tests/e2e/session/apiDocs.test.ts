import { expect, signIn, test } from '../../support/journeys/journey.ts'

test('the page of the API shows each call with the scopes that a token needs, and tries one out', async ({
  page,
  context,
}) => {
  await signIn(context)
  await page.goto('/api/docs')
  await page.getByPlaceholder('Filter by tag').fill('server-group')
  const group = page.getByRole('heading', { level: 3 })
  await expect(group).toHaveCount(1)
  await group.getByRole('button', { name: 'Expand operation' }).click()
  await page.getByRole('button', { name: /^GET .*list server-group$/ }).click()
  const call = page.locator('.opblock.is-open')
  await expect(call).toContainText('API token with nezha:inventory:read')
  await call.getByRole('button', { name: 'Try it out' }).click()
  await call.getByRole('button', { name: 'Execute' }).click()
  await expect(call.locator('.live-responses-table')).toContainText('"success": true')
})
