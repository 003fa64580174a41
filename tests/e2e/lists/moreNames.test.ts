import type { Locator, Page } from '@playwright/test'
import { accessibilityFindings } from '../../support/journeys/accessibility.ts'
import { boxOf } from '../../support/journeys/boxOf.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { allGroups } from '../../support/journeys/serverList.ts'

test.use({ seeded: 2_000, hasTouch: true })

test.beforeEach(({ context }) => signIn(context))

async function expectWholeList(page: Page, more: Locator, count: number) {
  const list = page.getByRole('list', { name: 'Servers', exact: true })
  await expect(list).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(count)
  // In the window, near the button, and not cut off: its names can be reached to the last.
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await expect(async () => {
    const frame = await boxOf(page.getByRole('group', { name: 'Servers', exact: true }))
    const button = await boxOf(more)
    expect(frame.x).toBeGreaterThanOrEqual(0)
    expect(frame.right).toBeLessThanOrEqual(width)
    expect(frame.bottom).toBeLessThanOrEqual(height)
    expect(Math.min(Math.abs(frame.y - button.bottom), Math.abs(button.y - frame.bottom))).toBeLessThan(12)
  }).toPass()
  const last = list.getByRole('listitem').last()
  await last.scrollIntoViewIfNeeded()
  const isReached = () =>
    last.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })
  await expect.poll(isReached).toBe(true)
  return list
}

test('"+ 250 more" opens the whole list on hover and on focus, and its links open servers', async ({ page }) => {
  await page.goto('/dashboard/server-group')
  const [group] = await allGroups(page)
  const count = group?.servers?.length ?? 0
  expect(count).toBeGreaterThan(200)
  const row = page.getByRole('row').filter({ hasText: group?.group.name })
  const more = row.getByRole('button', { name: `Servers: + ${count - 3} more` })

  // Until the servers have arrived, names are shorter, and the button stands elsewhere.
  await expect(row.getByText(/^[a-z]+-[a-z]+-\d+, /)).toBeVisible()
  await more.hover()
  const list = await expectWholeList(page, more, count)
  expect(await accessibilityFindings(page, 'the list of names')).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.mouse.move(0, 0)
  await expect(list).toBeHidden()

  await more.focus()
  await expectWholeList(page, more, count)
  await page.keyboard.press('Tab')
  await expect(list.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/server\/\d+\/overview/)
})

test('"+ 250 more" opens the whole list by a tap on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard/server-group')
  const more = page.getByRole('button', { name: /^Servers: \+ \d+ more$/ }).first()
  const count = Number(/\d+/.exec((await more.textContent()) ?? '')) + 3
  await more.tap()
  const list = await expectWholeList(page, more, count)
  await page.getByRole('heading', { name: /^Server groups/ }).tap()
  await expect(list).toBeHidden()
})
