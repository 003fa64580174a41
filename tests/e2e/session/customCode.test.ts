import type { BrowserContext, Page } from '@playwright/test'
import { call, send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

/** Stores code for the console, as an admin does in the settings. */
async function storeCode(context: BrowserContext, custom_code_dashboard: string): Promise<void> {
  const { data } = (await call(context, 'GET', 'setting')) as { data: { config: object } }
  await send(context, 'PATCH', 'setting', { ...data.config, custom_code_dashboard })
}

/** What the code did to the page, in order. */
const done = (page: Page) => page.evaluate(() => (window as unknown as { done?: string[] }).done ?? [])

const code = `
  <style>.login-card, header { outline: 3px solid rgb(1, 2, 3) }</style>
  <script>window.done = [...(window.done ?? []), 'first']</script>
  <script src="/dashboard/second.js"></script>
  <script src="/dashboard/missing.js"></script>
  <script>throw new Error('a slip in the custom code')</script>
  <div id="chat"><script type="module">window.done.push('module, after ' + window.second)</script></div>
  <script data-last>window.done.push('last')</script>`

// A server of its own: what is stored here concerns every page.
test.use({ seeded: 3 })

test.beforeEach(async ({ context }) => {
  await signIn(context)
  await context.route('**/dashboard/second.js', async (route) => {
    // What comes after it has to wait.
    await new Promise((resolve) => setTimeout(resolve, 200))
    await route.fulfill({
      contentType: 'text/javascript',
      body: "window.second = 'second'; window.done.push('second')",
    })
  })
  await context.route('**/dashboard/missing.js', (route) => route.fulfill({ status: 404, body: '' }))
})

test('custom code runs once and in order, in the console and on the sign-in page', async ({
  page,
  context,
  faults,
}) => {
  await storeCode(context, code)
  // Modules run after the others, as in every page.
  const all = ['first', 'second', 'last', 'module, after second']
  await page.goto('/dashboard')
  await expect.poll(() => done(page)).toEqual(all)
  await expect(page.locator('header').first()).toHaveCSS('outline-color', 'rgb(1, 2, 3)')
  await expect(page.getByRole('table', { name: 'Servers' })).toBeVisible()
  // The settings are read again now and then.
  await page.getByRole('link', { name: 'Task', exact: true }).click()
  expect(await done(page)).toEqual(all)

  await context.clearCookies()
  await page.goto('/dashboard/login')
  await expect.poll(() => done(page)).toEqual(all)
  await expect(page.locator('.login-card')).toHaveCSS('outline-color', 'rgb(1, 2, 3)')
  // The slip and the missing script were logged, and stopped nothing.
  expect(faults.filter((fault) => /a slip in the custom code|missing\.js|404/.test(fault))).toHaveLength(faults.length)
  expect(faults.join()).toContain('a slip in the custom code')
  faults.length = 0
})

test('safe=1 in the address starts without custom code, says so, and links back', async ({ page, context, faults }) => {
  await storeCode(context, `<script>document.body.innerHTML = ''; throw new Error('broken on purpose')</script>`)
  await page.goto('/dashboard/server-group?safe=1')
  await expect(page.getByText('Started without custom code.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Server groups', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Task', exact: true }).click()
  await expect(page.getByText('Started without custom code.')).toBeVisible()
  expect(faults).toEqual([])

  await storeCode(context, '<script>window.done = ["mended"]</script>')
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Reload with custom code' }).click()
  await loaded
  await expect.poll(() => done(page)).toEqual(['mended'])
  await expect(page.getByText('Started without custom code.')).toBeHidden()
})

test('without custom code the content policy blocks injected scripts', async ({ page, context, faults }) => {
  await storeCode(context, '')
  await page.goto('/dashboard')
  await expect(page.getByRole('table', { name: 'Servers' })).toBeVisible()
  expect(faults).toEqual([])
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.text = 'window.done = ["smuggled"]'
    document.head.append(script)
    document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.done = [1]">')
  })
  await page.waitForFunction(() => document.querySelector('img[src="data:,"]') !== null)
  await expect.poll(() => faults.length).toBeGreaterThanOrEqual(1)
  expect(await done(page)).toEqual([])
  expect(faults.every((fault) => fault.includes('Content Security Policy'))).toBe(true)
  faults.length = 0
})

test('custom code saved while a page is open runs at its next load', async ({ page, context }) => {
  await storeCode(context, '')
  await page.goto('/dashboard')
  await expect(page.getByRole('table', { name: 'Servers' })).toBeVisible()
  await storeCode(context, '<script>window.done = ["later"]</script>')
  await page.getByRole('link', { name: 'Task', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible()
  expect(await done(page)).toEqual([])
  await page.reload()
  await expect.poll(() => done(page)).toEqual(['later'])
  await storeCode(context, '')
})
