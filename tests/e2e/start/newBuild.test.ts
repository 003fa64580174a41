import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { isSamePage, mark } from '../../support/journeys/pageMark.ts'

test.use({ seeded: 5 })

test.beforeEach(({ context }) => signIn(context))

test('a tab from before an update reloads once; with unsaved changes it only shows a message', async ({
  page,
  faults,
}) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('row')).toHaveCount(7)
  await page.route('**/dashboard/', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    await route.fulfill({
      response,
      body: html.replace(/src="[^"]*\/assets\/[^"]+\.js"/, 'src="/dashboard/assets/new.js"'),
    })
  })
  const missing = () => page.evaluate(() => void window.dispatchEvent(new Event('vite:preloadError')))

  await page.getByRole('row').nth(1).getByRole('link', { name: /^Edit/ }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('unsaved')
  await mark(page)
  await missing()
  await expect(page.getByText('The console has been updated. Save your changes, then reload the page.')).toBeVisible()
  expect(await isSamePage(page)).toBe(true)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const reloaded = page.waitForEvent('load')
  await missing()
  await reloaded
  await expect(page.getByRole('row')).toHaveCount(7)
  await mark(page)
  await missing()
  await page.waitForTimeout(1000)
  expect(await isSamePage(page)).toBe(true)
  expect(faults).toEqual([])
})

test('a wall, which nobody touches, takes a new build by itself, and once', async ({ page }) => {
  let asked = 0
  await page.route('**/dashboard/', async (route) => {
    asked += 1
    const body = '<script type="module" src="/dashboard/assets/new.js"></script>'
    await route.fulfill({ contentType: 'text/html', body })
  })
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.goto('/dashboard?view=wall')
  await expect.poll(() => loads).toBe(2)
  await expect(page.getByRole('main', { name: 'Wall, for a screen' }).getByRole('listitem').first()).toBeVisible()
  // It has asked again, and was told of the build for which it has reloaded.
  await expect.poll(() => asked).toBeGreaterThan(1)
  expect(loads).toBe(2)
})
