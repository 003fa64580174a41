import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { terminalPane } from '../../support/console/terminalPage.ts'
import { fakePrograms } from '../../support/inspect/fakePrograms.ts'
import { test } from '../../support/journeys/agentJourney.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'
import { allServers, serverList } from '../../support/journeys/serverList.ts'
import { expectToast } from '../../support/journeys/toasts.ts'

// Other journeys count the machines of their server.
test.use({ serverName: 'inspect' })

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-programs-'))
const ownPath = process.env.PATH
let programs: ReturnType<typeof fakePrograms>

// The programs of an agent's machine are those of this process.
test.beforeAll(() => {
  programs = fakePrograms(folder)
  process.env.PATH = programs.path
})

test.afterAll(() => {
  process.env.PATH = ownPath
  rmSync(folder, { recursive: true, force: true })
})

const children: ChildProcess[] = []
test.afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
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
  await snapshot.getByRole('link', { name: 'Logs around this moment' }).click()
  await expect(page).toHaveURL(/\/inspect\/logs\?at=\d+$/)
  await expect(page.getByLabel('From')).toHaveValue(/^\d{4}-/)
  await expect(page.getByRole('log')).toContainText('nginx[812]: started')
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
  children.push(child)
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

test('whoever looks into a machine gives a process less, holds it, lets it go on and kills it', async ({
  page,
  context,
  startAgent,
}) => {
  await signIn(context)
  await page.goto('/dashboard')
  const agent = await startAgent(context)
  const find = async () => (await allServers(page)).find(({ uuid }) => uuid === agent.uuid)?.id
  await expect.poll(find).toBeDefined()
  // It says that it was hung up, as services do that read their configuration again. A shell would not do: for a moment
  // its children have its command, and are listed with it.
  const program = 'process.on("SIGHUP", () => console.log("again")); setInterval(() => {}, 1e6)'
  const child = spawn(process.execPath, ['-e', program, '4711471'])
  children.push(child)
  let printed = ''
  child.stdout.on('data', (piece: Buffer) => {
    printed += piece
  })
  await page.goto(`/dashboard/server/${await find()}/inspect/processes`)
  await page.getByRole('searchbox').fill('4711471')
  await row(page, '4711471')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Set priority' }).click()
  await page.getByRole('spinbutton', { name: 'Nice' }).fill('7')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Set priority' }).click()
  await expectToast(page, `Process ${child.pid} has nice 7`)
  expect(getPriority(child.pid)).toBe(7)
  await row(page, '4711471')
    .getByRole('button', { name: /4711471/ })
    .first()
    .click()
  const details = page.getByRole('dialog', { name: `Process ${child.pid}` })
  await expect(details.getByRole('region', { name: 'Open files and ports' })).toContainText('pipe:[')
  await details.getByRole('button', { name: 'Close' }).click()
  await act(page, '4711471', 'Suspend (STOP)')
  await expect(row(page, '4711471')).toContainText('Suspended')
  await act(page, '4711471', 'Resume (CONT)')
  await expect(row(page, '4711471')).not.toContainText('Suspended')
  await act(page, '4711471', 'Hang up (HUP)')
  await expect.poll(() => printed).toContain('again')
  await act(page, '4711471', 'Kill (KILL)')
  await expect.poll(() => child.signalCode).toBe('SIGKILL')
})

test('whoever looks into a machine pulls images, opens a shell in a container, and reads logs back and saves them', async ({
  page,
  context,
  startAgent,
}) => {
  await signIn(context)
  await page.goto('/dashboard')
  const agent = await startAgent(context)
  const find = async () => (await allServers(page)).find(({ uuid }) => uuid === agent.uuid)?.id
  await expect.poll(find).toBeDefined()
  await page.goto(`/dashboard/server/${await find()}/inspect/containers`)
  await act(page, 'db', 'Pull image')
  await expect(row(page, 'db')).toContainText('Old image')
  const menu = row(page, 'db').getByRole('button', { name: /^Actions for/ })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Inspect' }).click()
  await expect(page.getByRole('dialog')).toContainText('"Name": "/db"')
  await page.getByRole('button', { name: 'Close' }).click()
  await menu.click()
  const opened = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'Open shell' }).click()
  const shell = await opened
  await terminalPane(shell).expectText(/a shell in db/)
  await shell.close()

  await page.getByRole('link', { name: 'Units' }).click()
  await act(page, 'nginx.service', 'Disable')
  await expect(row(page, 'nginx.service')).toContainText('Disabled')
  await act(page, 'nginx.service', 'Enable')
  await expect(row(page, 'nginx.service')).toContainText('Enabled')

  programs.addOlderLines(300)
  await page.getByRole('link', { name: 'Logs' }).click()
  await page.getByRole('combobox', { name: 'Lines' }).selectOption('200')
  const log = page.getByRole('log')
  await expect(log).toContainText('nginx[812]: started')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download these lines' }).click()
  expect(readFileSync(await (await saved).path(), 'utf8')).toContain('nginx[812]: started')
  await log.evaluate((frame) => frame.scrollTo(0, 0))
  await page.getByRole('button', { name: 'Earlier lines' }).click()
  await expect(page.getByRole('button', { name: 'Earlier lines' })).toBeHidden()
  // What was on screen stayed there.
  await expect(log).toContainText('older line 103')
  await log.evaluate((frame) => frame.scrollTo(0, 0))
  await expect(log).toContainText('older line 1')
  await page.getByRole('combobox', { name: 'Unit' }).fill('nginx.service')
  await expect(async () => expect(programs.calls('journalctl').at(-1)).toContain('--unit=nginx.service')).toPass()

  await page.getByRole('link', { name: 'Disks' }).click()
  await page.getByRole('table').first().getByRole('button').first().click()
  const folders = page.getByRole('dialog', { name: /^Largest folders below/ })
  await expect(folders.getByRole('row').nth(1)).toContainText('/srv')
  await expect(folders.getByRole('row').nth(2)).toContainText('/srv/pictures')
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
