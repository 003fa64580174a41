import type { Locator } from '@playwright/test'
import { boxOf } from '../../support/journeys/boxOf.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { serverList } from '../../support/journeys/serverList.ts'

test.use({ seeded: 30, contextOptions: { reducedMotion: 'no-preference' } })

test.beforeEach(({ context }) => signIn(context))

const backgroundOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).backgroundColor)

const isOpaque = (colour: string) => /^rgb\(/.test(colour)

test('a selected row has one colour to its end, its actions included, in light and in dark', async ({ page }) => {
  const list = serverList(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/dashboard')
    const row = list.rows.first()
    const plain = await backgroundOf(row)
    await row.getByRole('checkbox').click()
    // The pointer is still on it.
    await expect.poll(() => backgroundOf(row)).not.toBe(plain)
    const colours = await Promise.all([row, row.getByRole('cell').last()].map(backgroundOf))
    expect(new Set(colours).size).toBe(1)
    // What scrolls below the actions must not shine through them.
    expect(colours.every(isOpaque)).toBe(true)
  }
})

test('numbers stand below their headings, at the same edge', async ({ page }) => {
  await page.goto('/dashboard')
  const heading = await boxOf(serverList(page).heading('Traffic').getByText('Traffic'))
  const values = await boxOf(page.locator('.cell-traffic').first())
  expect(Math.abs(values.right - heading.right)).toBeLessThan(2)
})

test('switches of a form begin where labels and fields begin', async ({ page }) => {
  await page.goto('/dashboard/service/create')
  const dialog = page.getByRole('dialog')
  const field = await boxOf(dialog.getByRole('textbox', { name: 'Name' }))
  const switches = await dialog.locator('.MuiSwitch-root').all()
  expect(switches.length).toBeGreaterThan(1)
  for (const one of switches) {
    for (const part of [
      one,
      one.getByRole('switch'),
      one.locator('.MuiSwitch-thumb'),
      one.locator('.MuiSwitch-track'),
    ]) {
      expect((await boxOf(part)).x).toBeGreaterThanOrEqual(Math.floor(field.x) - 1)
    }
    // The whole of it can be pressed.
    const before = await one.getByRole('switch').isChecked()
    const { width, height } = await boxOf(one)
    for (const [x, after] of [
      [1, !before],
      [width - 1, before],
    ] as const) {
      await one.click({ position: { x, y: height / 2 } })
      await expect(one.getByRole('switch')).toBeChecked({ checked: after })
    }
  }
})

test('a list without results says so in the middle of the window, not of columns out of sight', async ({ page }) => {
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/dashboard?filter={"q":"no such server"}')
    const text = await boxOf(page.getByText('No results'))
    expect(Math.abs(text.x + text.width / 2 - width / 2)).toBeLessThan(2)
  }
})
