import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { fakePrograms } from '../../support/inspect/fakePrograms.ts'
import { test } from '../../support/journeys/agentJourney.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'
import { allServers, serverList } from '../../support/journeys/serverList.ts'

// Other journeys count the machines of their server.
test.use({ serverName: 'inspect' })

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-programs-'))
const ownPath = process.env.PATH

// The programs of an agent's machine are those of this process.
test.beforeAll(() => {
  process.env.PATH = fakePrograms(folder).path
})

test.afterAll(() => {
  process.env.PATH = ownPath
  rmSync(folder, { recursive: true, force: true })
})

const row = (page: Page, text: string) => page.getByRole('table').getByRole('row').filter({ hasText: text })

/** Chooses an act in the menu of a row, and confirms it. */
async function act(page: Page, name: string, verb: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: verb, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: verb, exact: true }).click()
}

test('an alarm about a failed unit names it, and has a snapshot of its machine', async ({
  page,
  context,
  startAgent,
}) => {
  await signIn(context)
  await startAgent(context)
  await page.goto('/dashboard/alert-rule/create')
  await page.getByRole('textbox', { name: 'Name' }).fill('Broken units')
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('combobox', { name: 'Metric' }).selectOption({ label: 'Unit failed' })
  await page.getByRole('textbox', { name: 'Samples' }).fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goto('/dashboard/alarm')
  await expect(async () => {
    await page.reload()
    await expect(row(page, 'Unit failed (backup.service)')).toBeVisible({ timeout: 5000 })
    await row(page, 'Unit failed (backup.service)')
      .getByRole('button', { name: /^Actions for/ })
      .click({ timeout: 5000 })
    await page.getByRole('menuitem', { name: 'Snapshot' }).click({ timeout: 5000 })
  }).toPass()
  const snapshot = page.getByRole('dialog', { name: /^Snapshot of/ })
  await expect(snapshot.getByRole('region', { name: 'Failed units' })).toContainText('backup.service')
  await expect(snapshot.getByRole('region', { name: 'Most memory' }).getByRole('row')).toHaveCount(11)
  await expect(snapshot.getByRole('log')).toContainText('nginx[812]: started')
})

test('whoever looks into a machine ends a process, restarts containers and units, and reads their logs', async ({
  page,
  context,
  startAgent,
}) => {
  await signIn(context)
  await page.goto('/dashboard')
  const agent = await startAgent(context)
  const find = async () => (await allServers(page)).find(({ uuid }) => uuid === agent.uuid)?.id
  await expect.poll(find).toBeDefined()
  const child = spawn('sleep', ['98765'])
  await page.goto(`/dashboard/server/${await find()}/overview`)
  await page.getByRole('link', { name: 'Processes' }).click()
  await page.getByRole('searchbox').fill('sleep 98765')
  await act(page, 'sleep 98765', 'End (TERM)')
  await expect.poll(() => child.signalCode).toBe('SIGTERM')
  await expect(row(page, 'sleep 98765')).toBeHidden()

  await page.getByRole('link', { name: 'Containers' }).click()
  await act(page, 'web', 'Stop')
  await expect(row(page, 'web')).toContainText('Exited')
  await act(page, 'web', 'Remove')
  await expect(row(page, 'web')).toBeHidden()
  await act(page, 'db', 'Pause')
  await expect(row(page, 'db')).toContainText('Paused')
  await act(page, 'db', 'Resume')
  await expect(row(page, 'db')).toContainText('Healthy')
  await act(page, 'old', 'Start')
  await expect(row(page, 'old')).toContainText('Healthy')
  await act(page, 'old', 'Restart')
  await row(page, 'db').getByRole('button', { name: 'db' }).first().click()
  await expect(page.getByRole('log')).toContainText('first line')
  await page.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('link', { name: 'Units' }).click()
  await expect(row(page, 'backup.service')).toContainText('Failed')
  await act(page, 'backup.service', 'Start')
  await expect(row(page, 'backup.service')).toContainText('Active')
  await act(page, 'backup.service', 'Restart')
  await act(page, 'backup.service', 'Disable')
  await act(page, 'backup.service', 'Stop')
  await expect(row(page, 'backup.service')).toContainText('Inactive')
  await page.getByRole('button', { name: 'nginx.service' }).first().click()
  await expect(page.getByRole('log')).toContainText('nginx[812]: started')
})

test('whoever asks all machines the same sees who answers alike, and takes it along', async ({
  page,
  context,
  startAgent,
}) => {
  await signIn(context)
  await startAgent(context)
  await page.goto('/dashboard')
  const { rows, selectPage } = serverList(page)
  await expect(rows.nth(1)).toBeVisible()
  await selectPage()
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Ask \d+ servers$/ })
  await dialog.getByRole('combobox', { name: 'What to ask' }).click()
  await page.getByRole('option', { name: 'Output of a command' }).click()
  await dialog.getByRole('textbox', { name: 'Command line' }).fill(`echo "it's $((40 + 2))"; exit 3`)
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(dialog).toBeHidden()
  const alike = page.getByRole('listitem').filter({ hasText: "it's 42" })
  await expect(alike).toContainText('Exit code 3')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  expect((await saved).suggestedFilename()).toBe('command.csv')
  // The question has an address.
  await page.reload()
  await expect(alike).toContainText('Exit code 3')
  await page.getByRole('button', { name: 'Ask something else' }).click()
  await page.getByRole('textbox', { name: 'Command line' }).fill('echo other')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'other' })).toBeVisible()
  await page.goBack()
  await expect(alike).toBeVisible()
})
