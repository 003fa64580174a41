import type { Page } from '@playwright/test'
import { accessibilityFindings } from '../../support/journeys/accessibility.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { navigate } from '../../support/journeys/navigate.ts'

/** Collects the findings of several inspections, so that one run shows them all. */
function inspector(page: Page) {
  const findings: string[] = []
  return {
    look: async (what: string) => void findings.push(...(await accessibilityFindings(page, what))),
    expectNothing: () => expect(findings).toEqual([]),
  }
}

test('the sign-in form has no serious accessibility findings, with errors too', async ({ page }) => {
  const { look, expectNothing } = inspector(page)
  await page.goto('/dashboard/login')
  await expect(page.getByLabel('Username')).toBeVisible()
  await look('sign-in form')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Username must be at least 2 characters.')).toBeVisible()
  await look('sign-in form with an error')
  expectNothing()
})

test('every screen of the navigation and its dialogs have no serious accessibility findings', async ({
  page,
  context,
}) => {
  test.setTimeout(300_000)
  await signIn(context)
  const { look, expectNothing } = inspector(page)
  const screens = await screensOfNavigation(page)
  for (const screen of screens) {
    await show(page, screen)
    await expect(page.locator('main [aria-busy=false]').or(page.locator('main form')).first()).toBeVisible()
    // The loop goes on to tabs that are found on the way.
    for (const tab of await tabsOf(page)) screens.add(tab)
    await look(screen)
    const edit = page.getByRole('link', { name: /^Edit / }).first()
    const create = page.getByRole('toolbar').getByRole('link', { name: 'Create' })
    const opener = (await create.isVisible()) ? create : edit
    if (!(await opener.isVisible())) continue
    await opener.click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('textbox').first()).toBeVisible()
    // A save of nothing shows what a wrong field looks like, wherever one can be wrong.
    if (opener === create) await dialog.getByRole('button', { name: 'Save' }).click()
    await look(`${screen}, its form`)
  }
  expect([...screens]).toEqual(
    expect.arrayContaining(['/dashboard', '/dashboard/alert-rule', '/dashboard/settings/waf']),
  )
  expectNothing()
})

test('menus, popovers and dialogs over a list have no serious accessibility findings', async ({ page, context }) => {
  await signIn(context)
  const { look, expectNothing } = inspector(page)
  await page.goto('/dashboard')
  const table = page.getByRole('table', { name: 'Servers' })
  await expect(table.getByText('Online')).toBeVisible()

  // A named view, for that is a row of its own in the view options.
  await page.getByRole('button', { name: 'View options' }).click()
  await page.getByRole('textbox', { name: 'Name this view' }).fill('Everything')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Everything', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')

  const overlays = [
    ['filters', () => page.getByRole('button', { name: 'Filters', exact: true }).click()],
    ['view options', () => page.getByRole('button', { name: 'View options' }).click()],
    ['user menu', () => page.getByRole('button', { name: /^User menu/ }).click()],
    ['command palette', () => page.keyboard.press('Control+k')],
    ['keys', () => page.keyboard.press('?')],
  ] as const
  for (const [name, open] of overlays) {
    await open()
    const overlay = page.locator('[role=dialog], [role=menu]').first()
    await expect(overlay).toBeVisible()
    await look(name)
    await page.keyboard.press('Escape')
    await expect(overlay).toBeHidden()
  }

  await table.getByRole('checkbox', { name: /^Select (?!all)/ }).click()
  await look('a selection')
  await page.getByRole('button', { name: 'Delete selected' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('delete confirmation')
  expectNothing()
})

test('the error page has no serious accessibility findings', async ({ page, context }) => {
  await signIn(context)
  const { look, expectNothing } = inspector(page)
  await page.goto('/dashboard/there/is/nothing')
  await expect(page.getByRole('heading', { name: 'There is no page at this address.' })).toBeVisible()
  await look('error page')
  expectNothing()
})

/** Shows a screen: without loading the page anew where one of its links leads there. */
async function show(page: Page, screen: string): Promise<void> {
  const links = page.locator(`nav a[href="${screen}"]`)
  if ((await links.count()) === 0) {
    await page.goto(screen)
    return
  }
  await navigate(page, screen)
  await expect(links.and(page.locator('[aria-current=page]')).first()).toBeAttached()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Addresses of the navigation, and one tab of the settings, which are not in it. */
async function screensOfNavigation(page: Page): Promise<Set<string>> {
  await page.goto('/dashboard')
  const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')
  await expect(links.first()).toBeVisible()
  return new Set([...(await addressesIn(links)), '/dashboard/settings/online-user'])
}

/** Addresses of the tabs on the screen: its links that are not in rows, cards or the toolbar. */
const tabsOf = (page: Page) =>
  addressesIn(page.locator('main a[href^="/dashboard"]:not(table a, li a, [role=toolbar] a)'))

const addressesIn = (links: ReturnType<Page['locator']>) =>
  links.evaluateAll((elements) => elements.map((element) => (element as HTMLAnchorElement).pathname))
