import type { Page } from '@playwright/test'
import { send } from '../../support/journeys/apiCalls.ts'
import { cutTexts } from '../../support/journeys/cutTexts.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { navigate } from '../../support/journeys/navigate.ts'

test.use({ seeded: 6, serverName: 'languages' })

const inAnHour = { repeat: 0, starts_at: new Date().toISOString().slice(0, 16), duration: 60, time_zone: 'UTC' }

/** Chooses the language of the browser before its first page. */
const choose = (page: Page, locale: string) =>
  page.addInitScript((chosen) => localStorage.setItem('wheelhouse.locale', chosen), locale)

// The languages with the longest words; the others have none that is longer.
for (const locale of ['de-DE', 'ru', 'ta']) {
  test(`no text is cut on a desk or on a phone in ${locale}`, async ({ page, context }) => {
    await signIn(context)
    const add = (path: string, data: object) => send(context, 'POST', path, data)
    const service = { type: 2, target: '127.0.0.1', duration: 3600, cover: 0 }
    const id = await add('service', { ...service, name: 'Billing of a customer with an unusually long name' })
    await add('wheelhouse/maintenance-windows', { ...inAnHour, name: 'Kernel', services: [id] })
    const group = await add('server-group', { name: 'Everything', servers: [1, 2, 3] })
    await choose(page, locale)
    await page.goto('/dashboard')
    const screens: [path: string, ready: string][] = [
      ['', 'main tr[data-row], main li[data-row]'],
      ['/service', 'main .cell-silence'],
      [`/server-group/${group}/overview`, 'main .cell-silence'],
      ['/settings', 'main nav a[aria-current]'],
      ['/settings/user', 'main tr[data-row], main li[data-row]'],
      ['/notification/create', '[role=dialog] [role=group]'],
    ]
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      for (const [path, ready] of screens) {
        await navigate(page, `/dashboard${path}`)
        await page.locator(ready).first().waitFor()
        await expect.poll(() => cutTexts(page), `${path} at ${width} pixels`).toEqual([])
      }
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  })
}

test('the bar of a selection has all actions in the language with the longest words', async ({ page, context }) => {
  await signIn(context)
  await choose(page, 'ta')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/dashboard')
  await page.locator('tr[data-row] input[type=checkbox]').first().check()
  const bar = page.getByRole('toolbar').locator('[data-selected=true]')
  await expect(bar.getByRole('button').first()).toBeVisible()
  await expect.poll(() => cutTexts(page)).toEqual([])
})
