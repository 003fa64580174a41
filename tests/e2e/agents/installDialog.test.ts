import type { Locator, Page } from '@playwright/test'
import { accessibilityFindings } from '../../support/journeys/accessibility.ts'
import { test } from '../../support/journeys/agentJourney.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'

test.use({ serverName: 'install-dialog' })

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Install agent' })

/** More stops than the list and the dialog have together. */
const maxStops = 80

/** Presses Tab until this is what the keyboard acts on. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < maxStops; stop++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab never reached ${target}`)
}

test('the install dialog has no serious accessibility findings, before and after an agent has connected', async ({
  page,
  context,
  startAgent,
}) => {
  await signIn(context)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Install agent' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByText(/^curl -L /)).toBeVisible()
  const findings = await accessibilityFindings(page, 'waiting')
  await startAgent(context, { addresses: { ipv4: '203.0.113.8' } })
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeVisible()
  findings.push(...(await accessibilityFindings(page, 'connected')))
  await dialog.getByRole('textbox', { name: 'Address' }).fill('no address')
  await expect(dialog.getByRole('alert').first()).toBeVisible()
  findings.push(...(await accessibilityFindings(page, 'with an address that is none')))
  expect(findings).toEqual([])
})

test('an agent is installed and named from the list by keyboard only', async ({ page, context, startAgent }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(context)
  await page.goto('/dashboard')
  const opener = page.getByRole('button', { name: 'Install agent' })
  await expect(opener).toBeVisible()
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page)
  await expect(dialog.getByText(/^curl -L /)).toBeVisible()
  const copy = dialog.getByRole('button', { name: 'Copy command' })
  await tabTo(page, copy)
  await page.keyboard.press('Enter')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/^curl -L .* NZ_CLIENT_SECRET=\S{32} /s)
  // Who goes on with Tab must not be sent back to the top of the dialog.
  await expect(copy).toBeFocused()

  await startAgent(context)
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await expect(name).toBeVisible()
  await tabTo(page, name)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('backup vault')
  await page.keyboard.press('Tab')
  const rename = dialog.getByRole('button', { name: 'Rename' })
  await expect(rename).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('link', { name: 'backup vault' })).toBeVisible()
  await expect(rename).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  const row = page.getByRole('row').filter({ hasText: 'backup vault' })
  await expect(row.getByText('Online', { exact: true })).toBeVisible()
})
