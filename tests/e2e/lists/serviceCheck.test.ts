import { expect, signIn, test } from '../../support/journeys/journey.ts'

test.use({ serverName: 'with a check' })

test('a check is begun with a template, tried, given a rule by its answer, saved, and seen on its page', async ({
  page,
  context,
  server,
}) => {
  await signIn(context)
  await page.goto('/dashboard/service/create')
  await page.getByRole('textbox', { name: 'Name' }).fill('Own health')
  await page.getByRole('combobox', { name: 'Begin with' }).selectOption({ label: 'Website' })
  await page.getByRole('textbox', { name: 'Target' }).fill(`${server.address}/livez`)
  await page.getByRole('textbox', { name: /^Accepted codes/ }).fill('404')
  await page.getByRole('button', { name: 'Try now' }).click()
  const verdict = page.getByRole('status').filter({ hasText: 'status 200, expected 404' })
  await expect(verdict).toBeVisible()
  await expect(verdict).toContainText(/connect [\d.]+ ms/)
  await page.getByRole('textbox', { name: 'Target' }).fill(`${server.address}/api/v1/setting`)
  await page.getByRole('textbox', { name: /^Accepted codes/ }).fill('200')
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Up/ })).toBeVisible()
  // A click on a value in the answer makes a rule of it.
  await page.getByRole('button', { name: '$.success', exact: true }).click()
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '$.success == true' })).toContainText('✓')
  await page.getByText('Request sent', { exact: true }).click()
  await expect(page.getByText(`GET ${server.address}/api/v1/setting`)).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Own health' })
  await expect(row).toContainText('HTTP with rules')
  await row.getByRole('link', { name: 'Own health', exact: true }).click()
  const bars = page.getByRole('region', { name: 'What took how long' })
  // Its history is written every few seconds, and read when the page opens.
  await expect(async () => {
    await page.reload()
    await expect(bars.getByRole('listitem').first()).toContainText(/connect .* first byte /)
  }).toPass()
})
