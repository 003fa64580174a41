import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { filePanel } from '../../support/console/filePanel.ts'
import { preparePane, terminalPane } from '../../support/console/terminalPage.ts'
import { test } from '../../support/journeys/agentJourney.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'
import { allServers, serverList } from '../../support/journeys/serverList.ts'

// Other journeys count the machines of their server.
test.use({ serverName: 'agents' })

const row = (page: Page, name: string) => serverList(page).rows.filter({ hasText: name })

/** The id of a machine with an agent, once it has registered. */
async function idOf(page: Page, uuid: string): Promise<number> {
  const find = async () => (await allServers(page)).find((one) => one.uuid === uuid)?.id
  await expect.poll(find).toBeDefined()
  return (await find()) as number
}

async function rename(page: Page, id: number, name: string): Promise<void> {
  await page.goto(`/dashboard/server/${id}`)
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
}

test('an agent that is installed appears in the dialog and the list, gets a name, goes offline and comes back', async ({
  page,
  context,
  startAgent,
}) => {
  await signIn(context)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Install agent' }).click()
  const dialog = page.getByRole('dialog', { name: 'Install agent' })
  await expect(dialog.getByText('Waiting for an agent …')).toBeVisible()
  await expect(dialog.getByText(/^curl -L /)).toContainText(`NZ_SERVER=${new URL(page.url()).host} `)

  const agent = await startAgent(context, { addresses: { ipv4: '203.0.113.7' } })
  await expect(dialog.getByText(/^Connected: .+, debian .+, 203\.0\.113\.7$/)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('mail relay')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(dialog.getByRole('link', { name: 'mail relay' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(row(page, 'mail relay').getByText('Online', { exact: true })).toBeVisible()

  await agent.stop()
  await expect(row(page, 'mail relay').getByText(/^Offline/)).toBeVisible()
  await startAgent(context, { uuid: agent.uuid })
  await expect(row(page, 'mail relay').getByText('Online', { exact: true })).toBeVisible()

  // One that is installed while only the list is open.
  const { rows } = serverList(page)
  const listed = await rows.count()
  await startAgent(context)
  await expect(rows).toHaveCount(listed + 1)
})

test('a terminal and files on a machine with an agent stand beside those of this machine', async ({
  page,
  context,
  machineFolder,
  startAgent,
}) => {
  await signIn(context)
  const agent = await startAgent(context)
  const id = await idOf(page, agent.uuid)
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))

  await page.goto('/dashboard/terminal/1')
  await preparePane(terminalPane(page), machineFolder)
  await page.goto(`/dashboard/terminal/${id}`)
  const remote = terminalPane(page)
  await preparePane(remote, machineFolder)
  await remote.run('echo from the agent > note.txt; cat note.txt')
  await remote.expectText('\nfrom the agent')

  await page.getByRole('button', { name: 'Files', exact: true }).click()
  const files = filePanel(page)
  await files.goTo(machineFolder)
  expect(readFileSync(await files.download('note.txt'), 'utf8')).toBe('from the agent\n')
  const buffer = Buffer.alloc(3 * 2 ** 20, 'wheelhouse ')
  await files.upload([{ name: 'large.bin', mimeType: 'application/octet-stream', buffer }])
  await expect(files.row('large.bin')).toBeVisible()
  await expect(files.uploading).toBeHidden()
  expect(readFileSync(join(machineFolder, 'large.bin')).equals(buffer)).toBe(true)
})

test('a setting for several machines reaches those that accept it, and says why one does not', async ({
  page,
  context,
  startAgent,
  faults,
}) => {
  await signIn(context)
  const willing = await startAgent(context)
  const refusing = await startAgent(context, { settings: { disable_command_execute: true } })
  await rename(page, await idOf(page, willing.uuid), 'config of one')
  await rename(page, await idOf(page, refusing.uuid), 'config of another')
  const list = serverList(page)
  await page.goto('/dashboard')
  await list.search.fill('config of')
  await expect(list.rows).toHaveCount(2)
  await list.selectPage()
  await page.getByRole('button', { name: 'Edit config' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('checkbox', { name: 'Change: Report interval (s)' }).check()
  await form.getByRole('textbox', { name: 'Report interval (s)' }).fill('4')
  await form.getByRole('button', { name: 'Compare' }).click()
  await form.getByRole('button', { name: 'Send to 1 server' }).click()
  await expect(form.getByText('Done for 1 of 2 servers')).toBeVisible()
  await expect(form.getByRole('listitem').filter({ hasText: 'config of another' })).toContainText(
    /disable_command_execute|禁止命令执行/,
  )
  await expect.poll(() => willing.settings.report_delay).toBe(4)
  expect(refusing.settings.report_delay).toBe(3)
  // The cause is in the console of the browser.
  expect(faults.splice(0)).toEqual([expect.stringContaining('get server config failed: commands are switched off')])
})

test('a member sees and uses the own machine, and no other', async ({ page, context, openBrowser, startAgent }) => {
  await signIn(context)
  await page.goto('/dashboard/settings/user/create')
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Username' }).fill('mira')
  await form.getByLabel('Password', { exact: true }).fill('correct horse too')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()

  const member = await openBrowser({ signedIn: false })
  const reply = await member.request.post('/api/v1/login', {
    data: { username: 'mira', password: 'correct horse too' },
  })
  expect(await reply.json()).toMatchObject({ success: true })
  const agent = await startAgent(member)
  const own = await member.newPage()
  await own.goto('/dashboard')
  const id = await idOf(own, agent.uuid)
  await rename(own, id, 'own machine')
  await own.goto('/dashboard')
  await expect(serverList(own).rows).toHaveCount(1)
  await expect(row(own, 'own machine').getByText('Online', { exact: true })).toBeVisible()
  await own.goto(`/dashboard/terminal/${id}`)
  await terminalPane(own).expectText(/\S/)
})
