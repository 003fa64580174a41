import type { BrowserContext, Locator, Page } from '@playwright/test'
import { boxOf } from '../../support/journeys/boxOf.ts'
import { expect, password, signIn, test, username } from '../../support/journeys/journey.ts'
import { allServers } from '../../support/journeys/serverList.ts'
import { signInByForm } from '../../support/journeys/signInForm.ts'

const machine = '/dashboard/server/1'
const form = (page: Page) => page.getByRole('dialog', { name: /^Edit/ })
const field = (page: Page, name: string) => form(page).getByRole('textbox', { name })

/** Opens this machine's form in a browser of its own. */
async function openForm(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(machine)
  await expect(field(page, 'Name')).toBeVisible()
  return page
}

async function save(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: 'Save' }).click()
}

const stored = async (page: Page) => (await allServers(page)).find(({ id }) => id === 1)

test('two people edit one record: changes are merged, and a conflict in one field is asked about', async ({
  openBrowser,
}) => {
  const anna = await openForm(await openBrowser())
  const bert = await openForm(await openBrowser())
  await field(bert, 'Public note').fill('ask Bert')
  await save(bert)
  await expect(form(bert)).toBeHidden()
  await field(anna, 'Private note').fill('in the cellar')
  await save(anna)
  await expect(form(anna)).toBeHidden()
  expect(await stored(anna)).toMatchObject({ note: 'in the cellar', public_note: 'ask Bert' })

  await anna.goto(machine)
  await bert.goto(machine)
  await field(bert, 'Name').fill('berts-machine')
  await save(bert)
  await expect(form(bert)).toBeHidden()
  await field(anna, 'Name').fill('annas-machine')
  await field(anna, 'Private note').fill('in the attic')
  await save(anna)
  const question = anna.getByRole('dialog', { name: 'Somebody else changed this in the meantime' })
  await expect(question.getByRole('group')).toHaveCount(1)
  const names = question.getByRole('group', { name: 'Name' })
  await expect(names.getByRole('radio', { name: 'Your value annas-machine' })).toBeChecked()
  await names.getByRole('radio', { name: 'Their value berts-machine' }).check()
  await question.getByRole('button', { name: 'Save' }).click()
  await expect(form(anna)).toBeHidden()
  expect(await stored(anna)).toMatchObject({ name: 'berts-machine', note: 'in the attic', public_note: 'ask Bert' })

  await anna.goto(machine)
  await field(anna, 'Name').fill('the machine')
  await bert.goto(machine)
  await field(bert, 'Name').fill('other machine')
  await save(bert)
  await expect(form(bert)).toBeHidden()
  await save(anna)
  await expect(question).toContainText('other machine')
  expect((await stored(anna))?.name).toBe('other machine')
  await question.getByRole('button', { name: 'Save' }).click()
  await expect(form(anna)).toBeHidden()
  expect((await stored(anna))?.name).toBe('the machine')
})

test('unsaved input survives a reload, except secrets', async ({ page, context }) => {
  await signIn(context)
  page.on('dialog', (asked) => asked.accept())
  await page.goto('/dashboard/ddns/create')
  const dialog = page.getByRole('dialog', { name: 'Create: DDNS profile' })
  const name = dialog.getByRole('textbox', { name: 'Name' })
  const secret = dialog.getByLabel(/^Access secret/)
  await name.fill('home')
  await secret.fill('not for the disk')
  // Typed text is kept after a short pause, and at the latest when the page goes.
  await page.reload()
  await expect(dialog.getByText('Your unsaved changes have been restored.')).toBeVisible()
  await expect(name).toHaveValue('home')
  await expect(secret).toHaveValue('')
  const storage = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
  expect(storage).toContain('home')
  expect(storage).not.toContain('not for the disk')

  await dialog.getByRole('button', { name: 'Discard changes' }).click()
  await expect(name).toHaveValue('')
  await page.reload()
  await expect(name).toHaveValue('')
  await expect(dialog.getByText('Your unsaved changes have been restored.')).toBeHidden()
})

test('a dialog has a URL: a link opens it, and the back button closes it after asking about unsaved changes', async ({
  page,
  context,
}) => {
  await signIn(context)
  await page.goto('/dashboard?pageSize=20')
  const row = page.getByRole('table', { name: 'Servers' }).locator('tr[data-row]')
  await row.getByRole('link', { name: /^Edit/ }).click()
  await expect(page).toHaveURL('/dashboard/server/1?pageSize=20')
  await page.goBack()
  await expect(form(page)).toBeHidden()
  await expect(page).toHaveURL('/dashboard?pageSize=20')

  await page.goForward()
  await field(page, 'Public note').fill('half a thought')
  await page.goBack()
  const question = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(field(page, 'Public note')).toHaveValue('half a thought')
  await expect(page).toHaveURL('/dashboard/server/1?pageSize=20')
  await page.goBack()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(form(page)).toBeHidden()
  await expect(page).toHaveURL('/dashboard?pageSize=20')
  await expect(row).toHaveCount(1)
  expect((await stored(page))?.public_note ?? '').not.toContain('half')
})

test('sign-in, list and form work with the keyboard alone', async ({ page }) => {
  const { keyboard } = page
  /** Goes on by Tab, or back, until something has the focus. */
  const tabTo = async (target: Locator, key = 'Tab') => {
    for (let steps = 0; steps < 40; steps++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await keyboard.press(key)
    }
    throw new Error('Tab never got there.')
  }
  await page.goto('/dashboard/server-group')
  await tabTo(page.getByLabel('Username'))
  await keyboard.type('admin')
  await tabTo(page.getByLabel('Password', { exact: true }))
  await keyboard.type(password)
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Server groups', level: 1 })).toBeVisible()

  // What is typed while the palette's code is under way is for the palette.
  const dialog = page.getByRole('dialog')
  const code = Promise.withResolvers<void>()
  await page.route('**/CommandPalette-*', (route) => code.promise.then(() => route.continue()))
  const codeAsked = page.waitForRequest('**/CommandPalette-*')
  await keyboard.press('/')
  await keyboard.press('Control+k')
  await codeAsked
  await keyboard.type('not a screen')
  code.resolve()
  await expect(dialog.getByRole('combobox')).toHaveValue('not a screen')
  await expect(dialog.getByRole('option')).toHaveCount(0)
  await keyboard.press('Escape')
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await page.getByRole('searchbox').blur()

  // Three groups, each by the palette, the form and Ctrl-Enter.
  for (const name of ['Aft', 'Bow', 'Mast']) {
    await keyboard.press('Control+k')
    await expect(dialog.getByRole('combobox')).toBeFocused()
    await expect(dialog.getByRole('combobox')).toHaveValue('')
    await keyboard.type('create server gr')
    await expect(dialog.getByRole('option', { name: /^Create: Server group/ })).toBeVisible()
    await keyboard.press('Enter')
    await tabTo(dialog.getByRole('textbox', { name: 'Name' }))
    await keyboard.type(name)
    await keyboard.press('Control+Enter')
    await expect(dialog).toBeHidden()
  }
  const rows = page.getByRole('table', { name: 'Server groups' }).locator('tbody').getByRole('row')
  await expect(rows).toHaveCount(3)

  await keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await keyboard.type('mast')
  await expect(rows).toHaveCount(1)
  await keyboard.press('Escape')
  await expect(rows).toHaveCount(3)

  // From the search into the rows, down to the second, and in.
  await keyboard.press('ArrowDown')
  await expect(rows.nth(0).getByRole('link', { name: 'Aft', exact: true })).toBeFocused()
  await keyboard.press('ArrowDown')
  await keyboard.press('Space')
  await expect(rows.nth(1).getByRole('checkbox')).toBeChecked()
  await expect(rows.nth(1).getByRole('link', { name: 'Bow', exact: true })).toBeFocused()
  await keyboard.press('Space')
  await expect(rows.nth(1).getByRole('checkbox')).not.toBeChecked()
  await keyboard.press('ArrowUp')
  // The name leads to the page of the group.
  await tabTo(rows.nth(0).getByRole('link', { name: 'Edit Aft' }))
  await keyboard.press('Enter')
  const aft = page.getByRole('dialog', { name: 'Edit “Aft”' })
  await tabTo(aft.getByRole('textbox', { name: 'Name' }))
  await keyboard.press('Control+a')
  await keyboard.type('Stern')
  await tabTo(aft.getByRole('combobox', { name: 'Servers' }))
  await keyboard.press('ArrowDown')
  await expect(page.getByRole('option')).toHaveCount(1)
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  // The picker is still open on the machine that was picked: saving must not take it for another Enter.
  await expect(page.getByRole('option', { selected: true })).toBeVisible()
  await keyboard.press('Control+Enter')
  await expect(aft).toBeHidden()
  await expect(rows.nth(0)).toContainText('Stern')
  await expect(rows.nth(0).getByRole('cell').nth(3)).not.toBeEmpty()

  // Back in the list at the record that was open; its selection is deleted.
  await expect(rows.nth(0).getByRole('link', { name: 'Edit Stern' })).toBeFocused()
  await tabTo(rows.nth(0).getByRole('link', { name: 'Stern', exact: true }), 'Shift+Tab')
  await keyboard.press('Space')
  await tabTo(page.getByRole('button', { name: 'Delete selected' }))
  await keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: /^Delete/ })
  await tabTo(question.getByRole('button', { name: /^Delete/ }))
  await keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(rows).toHaveCount(2)
})

test('a browser that forbids storage signs in, saves a form and signs out', async ({ page, context }) => {
  await context.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    }
  })
  await page.goto('/dashboard/server-group/create')
  await signInByForm(page, username, password)
  const dialog = page.getByRole('dialog', { name: 'Create: Server group' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('without storage')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('cell', { name: 'without storage', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'admin' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByLabel('Username')).toBeVisible()
})

test('fields beside each other have their inputs at one height, although a label takes two lines', async ({
  page,
  context,
}) => {
  await signIn(context)
  await page.goto('/dashboard/escalation/create')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add a step' }).click()
  const step = dialog.getByRole('region', { name: 'Step 1' })
  const minutes = step.getByRole('textbox', { name: 'Minutes after the beginning' })
  await expect.poll(async () => (await boxOf(step.getByText('Minutes after the beginning'))).height).toBeGreaterThan(30)
  const bottom = (await boxOf(minutes)).bottom
  expect((await boxOf(step.getByRole('combobox', { name: 'Tells' }))).bottom).toBeCloseTo(bottom, 0)
})
