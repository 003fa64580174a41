import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { button, columnTexts, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const records = { server: [{ name: 'web-1' }, { name: 'db-1' }] }
const path = '/dashboard/settings/user'

async function openTeams() {
  const fixture = await renderConsole({ records, path })
  await fixture.user.click(await screen.findByRole('button', { name: 'Teams' }))
  const list = within(await screen.findByRole('dialog', { name: 'Teams' }))
  return { ...fixture, list, ...fixture.server.app.auth }
}

it('an administrator makes a team, gives it a role for its servers, and deletes it', async () => {
  const { user, list, teams, roles } = await openTeams()
  const mayAct = () => roles.grantsOf(2).has('act', [1])
  await user.click(await list.findByRole('button', { name: 'New team' }))
  const form = within(await screen.findByRole('dialog', { name: 'New team' }))
  await user.type(await form.findByRole('textbox', { name: 'Name' }), 'on call')
  await user.click(await form.findByRole('combobox', { name: /^Members/ }))
  await user.click(await screen.findByRole('option', { name: /member/ }))
  await user.click(form.getByRole('combobox', { name: /^Servers/ }))
  await user.click(await screen.findByRole('option', { name: 'web-1' }))
  await user.click(form.getByRole('button', { name: 'Save' }))
  await list.findByText('on call')
  expect(teams.all()).toMatchObject([{ name: 'on call', users: [2], servers: [1], roles: [] }])

  await user.click(list.getByRole('button', { name: 'Roles of on call' }))
  const given = within(await screen.findByRole('dialog', { name: 'Roles of on call' }))
  await user.click(given.getByRole('radio', { name: /^Operator/ }))
  await user.click(given.getByRole('button', { name: 'Give role' }))
  await given.findByRole('button', { name: 'Take away: Operator' })
  expect(mayAct()).toBe(true)
  await user.click(given.getByRole('button', { name: 'Close' }))

  await user.click(list.getByRole('button', { name: 'Delete on call' }))
  const question = within(await screen.findByRole('alertdialog'))
  question.getByText(/loses its roles at once/)
  await user.click(question.getByRole('button', { name: /^Delete/ }))
  await waitFor(() => expect(teams.all()).toEqual([]))
  expect(mayAct()).toBe(false)
})

it('a save of a team does not bring back whom another administrator has taken out meanwhile', async () => {
  const { user, server } = await renderConsole({
    records,
    path,
    prepare: ({ auth: { teams } }) => void teams.create({ name: 'on call', users: [2], servers: [1] }),
  })
  const { teams } = server.app.auth
  await user.click(await screen.findByRole('button', { name: 'Teams' }))
  const list = within(await screen.findByRole('dialog', { name: 'Teams' }))
  await user.click(await list.findByRole('button', { name: 'Edit on call' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit on call' }))
  const [team] = teams.all()
  teams.update(team?.id as number, { name: 'on call', users: [], servers: [1, 2] })
  await user.type(await form.findByRole('textbox', { name: 'Name' }), ' at night')
  await user.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(teams.all()).toMatchObject([{ name: 'on call at night', users: [], servers: [1, 2] }]))
})

it('the roles of a person show those by teams, which are taken away there', async () => {
  const { user } = await renderConsole({
    records,
    path,
    prepare({ auth: { teams } }) {
      const id = teams.create({ name: 'on call', users: [2], servers: [1] })
      teams.setRoles(id, [{ role: 'operator', scope: 'team' }])
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Actions for member' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Roles' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Roles of member' }))
  await dialog.findByText('by team on call')
  dialog.getByText('Servers of the team')
  expect(dialog.queryByRole('button', { name: /^Take away/ })).toBeNull()
})

it('an invitation is for a team, and is mailed by a notifier of who invites, or says why not', async () => {
  const { user, server } = await renderConsole({
    // Nothing listens there.
    records: { notification: [{ name: 'Mail', url: 'smtps://u:p@127.0.0.1:1/?from=a@example.org&to=b@example.org' }] },
    path,
    prepare: ({ auth: { teams } }) => void teams.create({ name: 'on call', users: [], servers: [] }),
  })
  await user.click(await screen.findByRole('button', { name: 'Invite' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite somebody' }))
  await user.click(await dialog.findByRole('combobox', { name: 'Team' }))
  await user.click(await screen.findByRole('option', { name: 'on call' }))
  await user.type(dialog.getByRole('textbox', { name: 'Mail the link to' }), 'grace@example.org')
  await user.click(dialog.getByRole('button', { name: 'Create link' }))
  await dialog.findByText(/^The mail was not sent: .*connection refused/)
  await dialog.findByText(/\/dashboard\/login#invitation=[\w-]{43}$/)
  expect(server.app.auth.invitations.open()).toMatchObject([{ team_id: 1 }])
  expect(toasts()).toEqual([])
})

const group = (name: string) => ({ name, notifications: [] })

it('a list shows the team of a record by its name, sorts and filters by it, and has neither without teams', async () => {
  const listPath = '/dashboard/notification-group'
  const ofTeam = (id: number) => ({ user_id: -id, team: id, made_by: 2 })
  const groups = {
    'notification-group': [{ ...group('Night'), ...ofTeam(2) }, { ...group('Day'), ...ofTeam(1) }, group('Mine')],
  }
  const { user } = await renderConsole({
    records: groups,
    path: listPath,
    prepare({ auth: { teams } }) {
      for (const name of ['Operations', 'Shop']) teams.create({ name, users: [2], servers: [] })
    },
  })
  const heading = await screen.findByRole('columnheader', { name: /^Team/ })
  const texts = () => columnTexts((heading as HTMLTableCellElement).cellIndex)
  await waitFor(() => expect(texts()).toEqual(['Shop', 'Operations', '']))
  await user.click(within(heading).getByRole('button'))
  await waitFor(() => expect(texts()).toEqual(['Operations', 'Shop', '']))
  await user.click(button('Filters'))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Team' }), 'Shop #2')
  await waitFor(() => expect(texts()).toEqual(['Shop']))
})

it('nobody without a team has a column of teams', async () => {
  await renderConsole({
    records: { 'notification-group': [group('Night')] },
    path: '/dashboard/notification-group',
    role: 'member',
    prepare: ({ auth: { teams } }) => void teams.create({ name: 'Somebody else’s', users: [], servers: [] }),
  })
  await screen.findByRole('columnheader', { name: /^Name/ })
  expect(screen.queryByRole('columnheader', { name: /^Team/ })).toBeNull()
})

describe('a new team of which there is no answer', () => {
  /** Sends it, and waits until its form may be left. */
  async function send() {
    const answer = Promise.withResolvers<void>()
    const fixture = await renderConsole({
      records,
      path,
      prepare: ({ auth: { teams }, ...app }) => {
        teams.create({ name: 'by day', users: [], servers: [] })
        app.addHook('preHandler', async ({ method, url }) => {
          if (method === 'POST' && url.endsWith('/teams')) await answer.promise
        })
      },
    })
    const { user, network } = fixture
    const type = async () => {
      await user.click(await list.findByRole('button', { name: 'New team' }))
      const form = within(await screen.findByRole('dialog', { name: 'New team' }))
      await user.type(await form.findByRole('textbox', { name: 'Name' }), 'on call')
      await user.click(form.getByRole('button', { name: 'Save' }))
      return form.getByRole('button', { name: 'Cancel' })
    }
    await user.click(await screen.findByRole('button', { name: 'Teams' }))
    const list = within(await screen.findByRole('dialog', { name: 'Teams' }))
    const leave = async (cancel: HTMLElement) => {
      expect(cancel).toHaveProperty('disabled', true)
      await waitFor(() => expect(cancel).toHaveProperty('disabled', false))
      expect(toasts().join()).toContain('Sent, but the server has not answered yet.')
      await user.click(cancel)
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New team' })).toBeNull())
    }
    await leave(await type())
    const sent = () => network.sent.filter((call) => call.method === 'POST' && call.path === 'wheelhouse/teams')
    return { ...fixture, list, type, leave, answer: answer.resolve, sent }
  }

  it('is left, and what became of it is told; a form that was opened meanwhile stays open', async () => {
    const { user, list, answer } = await send()
    await user.click(await list.findByRole('button', { name: 'Edit by day' }))
    const other = within(await screen.findByRole('dialog', { name: 'Edit by day' }))
    await user.type(await other.findByRole('textbox', { name: 'Name' }), ' and night')
    answer()
    await list.findByText('on call')
    await waitFor(() => expect(toasts().join()).toContain('The team was saved.'))
    expect(other.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'by day and night')
  })

  it('is made once, when it is sent again meanwhile', async () => {
    const { list, type, leave, answer, sent, server } = await send()
    await leave(await type())
    answer()
    await list.findByText('on call')
    expect(sent()).toHaveLength(2)
    expect(server.app.auth.teams.all().map(({ name }) => name)).toEqual(['by day', 'on call'])
  })
})
