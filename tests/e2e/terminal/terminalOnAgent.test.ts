import type { Page } from '@playwright/test'
import { preparePane, prompt, terminalPane } from '../../support/console/terminalPage.ts'
import { test } from '../../support/journeys/agentJourney.ts'
import { send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'
import { allServers, read } from '../../support/journeys/serverList.ts'
import { expectToast } from '../../support/journeys/toasts.ts'

// Other journeys count the machines of their server, and this one changes its settings.
test.use({ serverName: 'terminals of agents' })

const colleague = { username: 'mira', password: 'correct horse too' }

/** The id of a machine with an agent, once it has registered. */
async function idOf(page: Page, uuid: string): Promise<number> {
  let id: number | undefined
  await expect
    .poll(async () => {
      id = (await allServers(page)).find((one) => one.uuid === uuid)?.id
      return id
    })
    .toBeDefined()
  return Number(id)
}

test('a terminal of an agent is held over a reload, shared to a colleague, recorded and played', async ({
  page,
  context,
  openBrowser,
  machineFolder,
  startAgent,
}) => {
  await signIn(context)
  const { config } = await read<{ config: object }>(page, 'setting')
  await send(context, 'PATCH', 'setting', { ...config, terminal_recording: 2 })
  const agent = await startAgent(context)
  const id = await idOf(page, agent.uuid)

  // It opens, and types.
  await page.goto(`/dashboard/terminal/${id}`)
  const shell = terminalPane(page)
  await preparePane(shell, machineFolder)
  await shell.run('here=same; echo "first $((1 + 1))"')
  await shell.expectText(/^first 2$/m)

  // It is held over a reload, with its screen and what came meanwhile.
  await shell.run('sleep 1; echo mean"while"')
  await page.reload()
  await expectToast(page, /the same shell as before/)
  await shell.expectText(/^first 2$/m)
  await shell.expectText(/^meanwhile$/m)
  await shell.expectPrompt()
  await shell.run('echo "$here shell"')
  await shell.expectText(/^same shell$/m)

  // It is recorded, and shared to a colleague, who watches first.
  await page.getByRole('button', { name: 'Record this terminal' }).click()
  await expect(page.getByText('● Recorded')).toBeVisible()
  await page.getByRole('button', { name: 'Share this terminal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this terminal' })
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()

  const userId = await send(context, 'POST', 'user', { ...colleague, role: 1 })
  const roles = [{ role: 'operator', scope: { groups: [], servers: [id] } }]
  await send(context, 'PATCH', `wheelhouse/users/${userId}/roles`, { roles })
  const elsewhere = await openBrowser({ signedIn: false })
  await send(elsewhere, 'POST', 'login', colleague)
  const guest = await elsewhere.newPage()
  await guest.goto(link)
  const seen = terminalPane(guest)
  await seen.expectText(/^same shell$/m)
  await expect(guest.getByText('You can watch.')).toBeVisible()
  await expect(guest.getByText('● Recorded')).toBeVisible()
  await expect(dialog.getByText('In this terminal: admin (owner, typed last), mira')).toBeVisible()
  await seen.run('echo "not typed"')
  await dialog.getByRole('radio', { name: 'Others may watch and type' }).check()
  await expect(guest.getByText('You can type.')).toBeVisible()
  await seen.run('echo "by mira $((1 + 1))"')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await shell.expectText(/^by mira 2$/m)
  expect((await shell.lines()).join('\n')).not.toContain('not typed')

  // Whose right is taken meanwhile is out, and the terminal goes on.
  await send(context, 'PATCH', `wheelhouse/users/${userId}/roles`, { roles: [] })
  await expect(guest.getByText('The terminal is not shared with you any more.')).toBeVisible()
  await expect(page.getByText('In this terminal: admin (owner)')).toBeVisible()

  // It is played while it is still being recorded, and read on.
  const other = await context.newPage()
  await other.goto('/dashboard/terminals')
  const list = other.getByRole('list', { name: 'Recordings' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await list.getByRole('link', { name: /^Play the recording of/ }).click()
  const played = terminalPane(other)
  await played.expectText(/^by mira 2$/m)
  await expect(other.getByText(/still being recorded/)).toBeVisible()
  await shell.run('echo "last $((1 + 1))"')
  await shell.expectText(/^last 2$/m)
  await other.getByRole('button', { name: 'Refresh' }).click()
  await played.expectText(/^last 2$/m)

  // The agent goes: the terminal has ended, and its recording with it, under the eyes of who plays it.
  await agent.stop()
  await expect(page.getByRole('dialog', { name: /Session completed|could not be opened/ })).toBeVisible()
  await expect(other.getByText(/still being recorded/)).toBeHidden()
  await played.expectText(/^last 2$/m)
  expect((await played.lines()).join('\n')).not.toContain(`${prompt} here=same`)
})
