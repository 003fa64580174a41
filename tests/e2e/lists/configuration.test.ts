import { readFileSync } from 'node:fs'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

test('an operator exports the configuration, changes a line, looks at the plan, and applies it once', async ({
  page,
  context,
}) => {
  await signIn(context)
  await page.goto('/dashboard/settings')
  await page.getByRole('link', { name: 'Configuration' }).click()
  await expect(page.getByRole('heading', { name: 'Configuration', level: 1 })).toBeVisible()
  const text = page.getByRole('textbox', { name: 'Configuration (YAML)' })
  const showPlan = page.getByRole('button', { name: 'Show plan' })
  const apply = page.getByRole('button', { name: 'Apply', exact: true })
  const main = page.getByRole('main')
  const applyPlan = async () => {
    await apply.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
  }

  // A notifier needs its address, which no file has; and a mistake is shown with its place.
  const notifier = (url: string) => `notification:\n  - name: chat\n    url: ${url}\n`
  await text.fill(`${notifier('$' + '{CHAT}')}cron:\n  - name: nightly\n    comand: x\n`)
  await showPlan.click()
  await expect(main.getByText('Line 6, column 5: cron has no field comand')).toBeVisible()
  await text.fill(
    `${notifier('$' + '{CHAT}')}cron:\n  - name: nightly\n    scheduler: 0 0 3 * * *\n    command: apt update\n`,
  )
  await text.press('Tab')
  await showPlan.click()
  await expect(main.getByText(/enter the value of \$\{CHAT\}/)).toBeVisible()
  await page.getByLabel('$' + '{CHAT}').fill('https://hooks.example.org/in')
  await showPlan.click()
  await expect(main.getByText('2 to create, 0 to change, 0 to delete, 0 unchanged')).toBeVisible()
  await applyPlan()
  await expect(main.getByText('2 changes applied.')).toBeVisible()
  await expect(main.getByText('Nothing to do: 2 records are as the file has them.')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as YAML' }).click()
  const exported = readFileSync(await (await download).path(), 'utf8')
  expect(exported).toContain('url: kept')
  expect(exported).not.toContain('hooks.example.org')

  const changed = exported.replace('command: apt update', 'command: apt upgrade')
  const choose = { name: 'configuration.yaml', mimeType: 'application/yaml', buffer: Buffer.from(changed) }
  await page.locator('input[type=file]').setInputFiles(choose)
  await expect(text).toHaveValue(changed)
  await showPlan.click()
  await expect(main.getByText(/^0 to create, 1 to change, 0 to delete/)).toBeVisible()
  const row = main.getByRole('row', { name: 'command' })
  await expect(row.getByRole('cell').nth(0)).toHaveText('apt update')
  await expect(row.getByRole('cell').nth(1)).toHaveText('apt upgrade')
  await applyPlan()
  await expect(main.getByText('1 change applied.')).toBeVisible()
  await showPlan.click()
  await expect(main.getByText(/^Nothing to do/)).toBeVisible()
  await expect(apply).toBeHidden()

  await page.goto('/dashboard/cron')
  await expect(page.getByRole('row', { name: /nightly/ })).toContainText('apt upgrade')
})
