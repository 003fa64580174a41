import type { Locator, Page } from '@playwright/test'
import { boxOf } from '../../support/journeys/boxOf.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { letToastsStay } from '../../support/journeys/toasts.ts'

test.use({ seeded: 60 })

test.beforeEach(({ context }) => signIn(context))

const widths = [
  { name: 'desk', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
]

const notifications = (page: Page) => page.getByRole('region', { name: 'Notifications' })

/** Whether the pointer reaches the middle of a control. */
const isReachable = (control: Locator) =>
  control.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint(x + width / 2, y + height / 2)
    return hit !== null && (element.contains(hit) || hit.contains(element))
  })

async function expectReachable(controls: Locator) {
  const all = await controls.all()
  expect(all.length).toBeGreaterThan(0)
  for (const control of all) {
    if (await control.isVisible()) await expect.poll(() => isReachable(control), String(control)).toBe(true)
  }
}

/** An action for selected rows, none of which is selected. */
async function tryTo(page: Page, name: string) {
  await page.getByRole('button', { name: 'View options' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(0)
}

/** Three notifications, which stay: no rows are selected, and for two actions more. */
async function raiseNotifications(page: Page, path: string) {
  await letToastsStay(page)
  await page.goto(path)
  for (const name of ['Delete selected', 'Force update', 'Edit config']) await tryTo(page, name)
  await expect(notifications(page).getByRole('alert')).toHaveCount(2)
  await page.mouse.move(0, 0)
}

for (const { name, ...viewport } of widths) {
  test(`on a ${name} notifications lie over no control of a list, and move none`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await raiseNotifications(page, '/dashboard?pageSize=50')
    const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
    await expect(boxes).toHaveCount(50)

    // The page ends above them: all of it can be reached, its very end too.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expectReachable(page.getByRole('navigation', { name: 'Pages' }).getByRole('button'))
    await expectReachable(page.getByLabel('Rows per page'))

    // What the keyboard goes to is not below them.
    await page.evaluate(() => window.scrollTo(0, 0))
    for (const index of [15, 30, 49]) {
      await boxes.nth(index).focus()
      await expect.poll(() => isReachable(boxes.nth(index))).toBe(true)
    }
    await boxes.nth(49).check()
    await expect(page.getByText('1 selected')).toBeVisible()
    const remove = page.getByRole('button', { name: 'Delete selected' })
    if (name === 'phone') {
      // The actions of the selection stick to the lower edge, and that is above the notifications.
      for (const scrolled of [0, 900]) {
        await page.evaluate((top) => window.scrollTo(0, top), scrolled)
        await expectReachable(remove.or(page.getByRole('button', { name: 'Clear selection' })))
      }
    }

    await page.evaluate(() => window.scrollTo(0, 0))
    const row = await boxOf(boxes.first())
    const bar = await boxOf(notifications(page))
    while (await notifications(page).getByRole('button', { name: 'Dismiss' }).count()) {
      await notifications(page).getByRole('button', { name: 'Dismiss' }).first().click()
    }
    await expect.poll(() => boxOf(boxes.first())).toEqual(row)
    expect(row.bottom).toBeLessThan(bar.y)
  })

  test(`on a ${name} a dialog ends above the notifications`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await raiseNotifications(page, '/dashboard')
    await page
      .getByRole('link', { name: /^Edit / })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: /^Edit/ })
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeVisible()
    await expect(notifications(page).getByRole('alert')).toHaveCount(2)
    await expectReachable(dialog.getByRole('button', { name: /^(Save|Cancel)$/ }))
    expect((await boxOf(dialog)).bottom).toBeLessThanOrEqual((await boxOf(notifications(page))).y)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
  })
}

const nothingSelected = (page: Page) => notifications(page).getByText('No rows are selected')

test('a notification leaves by itself, but not while the pointer is on it', async ({ page }) => {
  await page.clock.install()
  await page.goto('/dashboard')
  const error = nothingSelected(page)
  // On a busy machine it may be gone before the pointer is there.
  await expect(async () => {
    await tryTo(page, 'Delete selected')
    await error.hover({ timeout: 15_000 })
  }).toPass()
  // Two steps: between them the page notices where the pointer is.
  await page.clock.runFor('00:01')
  await page.clock.runFor('01:00')
  await expect(error).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor('00:40')
  await expect(error).toBeHidden()
})

test('notifications leave with their page', async ({ page }) => {
  await raiseNotifications(page, '/dashboard')
  await expect(nothingSelected(page)).toBeVisible()
  await page.getByRole('link', { name: 'Service' }).click()
  await expect(page.getByRole('heading', { name: /^Services/ })).toBeVisible()
  await expect(notifications(page).getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
})
