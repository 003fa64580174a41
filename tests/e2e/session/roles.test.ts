import { terminalPane } from '../../support/console/terminalPage.ts'
import { send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

test.use({ serverName: 'roles' })

test('an administrator makes a member an operator of a server, whose terminal ends with the role', async ({
  context,
  page,
  openBrowser,
}) => {
  await signIn(context)
  const member = { username: 'operator', password: 'another long password' }
  await send(context, 'POST', 'user', { ...member, role: 1 })
  const [server] = (await send(context, 'GET', 'server')) as { id: number; name: string }[]
  if (!server) throw new Error('There is no server.')
  const other = await openBrowser({ signedIn: false })
  await other.request.post('/api/v1/login', { data: member })
  const theirs = await other.newPage()
  await theirs.goto(`/dashboard/server/${server.id}/overview`)
  await expect(theirs.getByRole('heading', { name: server.name })).toHaveCount(0)

  await page.goto('/dashboard/settings/user')
  await page.getByRole('button', { name: `Actions for ${member.username}` }).click()
  await page.getByRole('menuitem', { name: 'Roles' }).click()
  const dialog = page.getByRole('dialog', { name: `Roles of ${member.username}` })
  await dialog.getByRole('radio', { name: /^Operator/ }).click()
  await dialog.getByRole('combobox', { name: /^Servers/ }).click()
  await page.getByRole('option', { name: server.name }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Give role' }).click()
  const take = dialog.getByRole('button', { name: 'Take away: Operator' })
  await expect(take).toBeVisible()

  await theirs.reload()
  await expect(theirs.getByRole('heading', { name: server.name })).toBeVisible()
  const terminal = theirs.getByRole('link', { name: `Open a terminal on ${server.name}` })
  await expect(terminal).toBeVisible()
  const shell = await other.newPage()
  await shell.goto((await terminal.getAttribute('href')) ?? '')
  // One that is not open yet could not be opened any more.
  await terminalPane(shell).expectText(/\S/)

  await take.click()
  await expect(dialog.getByText(/^No roles yet/)).toBeVisible()
  await expect(shell.getByRole('dialog')).toContainText('Session completed')
  await theirs.reload()
  await expect(theirs.getByRole('heading', { name: server.name })).toHaveCount(0)
})
