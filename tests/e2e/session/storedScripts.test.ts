import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { type EntityName, entities } from '../../../src/schemas/index.ts'
import { english } from '../../support/console/texts.ts'
import { send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { navigate } from '../../support/journeys/navigate.ts'
import { creatable, validForm } from '../../support/server/routes/validForm.ts'

/** Whatever of it runs, in whichever way, leaves its mark on the page. A user name has at most 64 characters. */
const script = `<img src=x onerror=r=1><script>r=1</script>'"><svg onload=r=1>`
/** As a cell of a spreadsheet it would be a formula. */
const formula = `=HYPERLINK("//x","<svg onload=r=1>")`

/** Lists that are tabs of the settings. */
const tabs: Partial<Record<EntityName, string>> = { user: 'settings/user', 'server-share': 'settings/server-shares' }

/** Where the lists are, below `/dashboard`. */
const places: [EntityName, string][] = [
  ['server', ''],
  ...creatable.map((name): [EntityName, string] => [name, tabs[name] ?? name]),
]

/** The form, with the script in its names and free texts; addresses and patterns keep their shape. */
const scripted = (name: EntityName, text: string) => {
  const form = { ...validForm(name, { text: 'shape' }) }
  for (const [field, value] of Object.entries(form)) if (value === 'shape') form[field] = text
  return form
}

/** Shows a list, without loading the page anew. */
async function showList(page: Page, name: EntityName, path: string): Promise<void> {
  await navigate(page, `/dashboard/${path}`)
  const [, plural] = english.get(`resources.${name}.name`)?.split(' |||| ') ?? []
  await expect(page.getByRole('table', { name: plural, exact: true })).toBeVisible()
}

const ran = (page: Page) => page.evaluate(() => 'r' in window)

// A server of its own: what is stored here concerns every page.
test.use({ seeded: 2 })

test.beforeEach(({ context }) => signIn(context))

test('scripts in record texts are shown as text in lists, forms, confirmations and notifications', async ({ page }) => {
  await send(page.context(), 'PATCH', 'server/1', scripted('server', script))
  for (const name of creatable) await send(page.context(), 'POST', entities[name].api.path, scripted(name, script))
  await page.goto('/dashboard')
  for (const [name, path] of places) {
    await showList(page, name, path)
    if (entities[name].api.verbs.includes('update')) {
      await navigate(page, `/dashboard/${path || name}/1`)
      await expect(page.getByRole('dialog'), name).toContainText(script)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await expect(page.getByText(script).first(), name).toBeVisible()
    await page
      .getByRole('button', { name: `Actions for ${script}` })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toContainText(script)
    expect(await ran(page), name).toBe(false)
    expect(await page.locator('img[src=x], svg[onload]').count(), name).toBe(0)
    await page.keyboard.press('Escape')
    await expect(page.locator('[role=dialog], [role=alertdialog]')).toHaveCount(0)
  }
  // The command palette finds them, the audit log names them, and a deletion says what it deleted.
  await page.goto('/dashboard')
  await expect(page.getByText(script).first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('onerror')
  await expect(page.getByRole('option', { name: script }).first()).toBeVisible()
  await page.goto('/dashboard/settings/audit')
  await expect(page.getByText(`name: ${script.slice(0, 128)}`).first()).toBeVisible()
  await page.goto('/dashboard/nat')
  await page.getByRole('button', { name: `Actions for ${script}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(page.getByText(script)).toHaveCount(1)
  expect(await ran(page)).toBe(false)
})

test('formulas in names are exported to CSV as text', async ({ page }) => {
  await send(page.context(), 'PATCH', 'server/1', scripted('server', formula))
  for (const name of creatable.filter((one) => one !== 'nat')) {
    await send(page.context(), 'POST', entities[name].api.path, scripted(name, formula))
  }
  await page.goto('/dashboard')
  for (const [name, path] of places) {
    if (name === 'nat') continue
    await showList(page, name, path)
    await expect(page.getByText(formula).first(), name).toBeVisible()
    await page.getByRole('button', { name: 'View options' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    const csv = readFileSync(await (await download).path(), 'utf8')
    expect(csv, name).toContain(`'=HYPERLINK(`)
    expect(csv, name).not.toMatch(/(^|[,"\n])=/)
  }
})
