import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { addHistory } from '../../support/server/addHistory.ts'

test.use({ serverName: 'backtest' })

test.beforeEach(({ context }) => signIn(context))

test('the form of an alert rule shows the alarms that it would have raised, while it is written', async ({
  page,
  server,
}) => {
  addHistory(server.dataDir, 1, 150, (ago) => (ago > 60 && ago <= 63 ? 98 : 12))
  await page.goto('/dashboard/alert-rule/create')
  await page.getByRole('button', { name: 'Add rule' }).click()
  // Above anything that this machine does while it is tested.
  await page.getByLabel('Maximum', { exact: true }).fill('97.5')
  await page.getByLabel('Samples').fill('1200')
  const panel = page.getByRole('region', { name: 'The last 7 days' })
  await expect(panel.getByText('In the last 7 days it would have raised 1 alarm.')).toBeVisible()
  const alarm = panel.locator('summary')
  await expect(alarm).toHaveCount(1)
  // More than 70 % of an hour are outside from 45 minutes after the beginning to 20 minutes after the end.
  await expect(alarm).toContainText('2 h 35 min')
  await expect(alarm).toContainText('100% of the samples outside')

  // With the keyboard, to the chart.
  await alarm.focus()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('region', { name: 'CPU' })).toBeVisible()
  await expect(panel.locator('canvas')).toBeVisible()

  // The test follows what is typed.
  await page.getByLabel('Maximum', { exact: true }).fill('99')
  await expect(panel.getByText('In the last 7 days it would have raised no alarm.')).toBeVisible()
  await page.getByLabel('Metric').selectOption('transfer_all_cycle')
  await expect(panel.getByText('A rule about traffic in a period cannot be tested')).toBeVisible()
})
