import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const path = '/dashboard/settings/user'

async function openMenu({ user }: Awaited<ReturnType<typeof renderConsole>>, name: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
}

describe('An account', () => {
  it('is disabled after a question, and enabled again', async () => {
    const fixture = await renderConsole({ path })
    const { user, storedRows } = fixture
    const disabled = () => storedRows('user').map((row) => row.disabled)
    await openMenu(fixture, 'member')
    await user.click(await screen.findByRole('menuitem', { name: 'Disable account' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    dialog.getByText(/^Disable the account of “member”\?/)
    expect(dialog.queryByText('This operation cannot be undone!')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Disable account' }))
    await waitFor(() => expect(disabled()).toEqual([false, true]))
    await waitFor(() => expect(toasts().join()).toContain('The account is disabled.'))
    await openMenu(fixture, 'member')
    await user.click(await screen.findByRole('menuitem', { name: 'Enable account' }))
    await waitFor(() => expect(disabled()).toEqual([false, false]))
  })
})

describe('Inviting somebody', () => {
  it('makes a link, which is shown once, and can be taken back', async () => {
    const { user } = await renderConsole({ path })
    await user.click(await screen.findByRole('button', { name: 'Invite' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite somebody' }))
    await dialog.findByText('There are none.')
    await user.click(dialog.getByRole('radio', { name: 'Admin' }))
    await user.click(dialog.getByRole('button', { name: 'Create link' }))
    await dialog.findByText(/\/dashboard\/login#invitation=[\w-]{43}$/)
    await user.click(await dialog.findByRole('button', { name: 'Take back' }))
    await dialog.findByText('There are none.')
    expect(toasts().join()).toContain('The invitation was taken back.')
  })

  it('gives further roles with the account, each on all servers, on chosen ones or on groups', async () => {
    const records = { server: [{ name: 'web-1' }, { name: 'db-1' }], 'server-group': [{ name: 'Europe', servers: [] }] }
    const { user, server } = await renderConsole({ path, records })
    await user.click(await screen.findByRole('button', { name: 'Invite' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite somebody' }))
    const give = async (role: RegExp, choose: (choice: ReturnType<typeof within>) => Promise<void>) => {
      await user.click(await dialog.findByRole('button', { name: 'Give role' }))
      const choice = within(await screen.findByRole('dialog', { name: 'Give role' }))
      await user.click(choice.getByRole('radio', { name: role }))
      await choose(choice)
      await user.click(choice.getByRole('button', { name: 'Give role' }))
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Give role' })).toBeNull())
    }
    await give(/^Operator/, async (choice) => {
      expect(choice.getByRole('button', { name: 'Give role' })).toHaveProperty('disabled', true)
      await user.click(await choice.findByRole('combobox', { name: /^Servers/ }))
      await user.click(await screen.findByRole('option', { name: 'db-1' }))
      await user.click(choice.getByRole('combobox', { name: /^Server groups/ }))
      await user.click(await screen.findByRole('option', { name: 'Europe' }))
    })
    await give(/^Viewer/, async (choice) => user.click(choice.getByRole('radio', { name: 'All servers' })))
    await give(/^Viewer/, async (choice) => user.click(choice.getByRole('radio', { name: 'All servers' })))
    expect(dialog.getAllByRole('button', { name: 'Take away: Viewer' })).toHaveLength(1)
    await user.click(dialog.getByRole('button', { name: 'Create link' }))
    await dialog.findByText('Operator: Europe, db-1')
    await dialog.findByText('Viewer: All servers')
    const open = () => server.app.auth.invitations.open().map(({ role, roles }) => ({ role, roles }))
    const operator = { role: 'operator', scope: { groups: [1], servers: [2] } }
    expect(open()).toEqual([{ role: 1, roles: [operator, { role: 'viewer', scope: 'all' }] }])
    // An administrator has them all.
    await user.click(dialog.getByRole('radio', { name: 'Admin' }))
    expect(dialog.queryByRole('button', { name: 'Give role' })).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Create link' }))
    await waitFor(() => expect(open()[0]).toEqual({ role: 0, roles: [] }))
  })

  it('of an administrator of everything is what “Administrator” on all servers means', async () => {
    const { user } = await renderConsole({ path })
    await user.click(await screen.findByRole('button', { name: 'Invite' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite somebody' }))
    await user.click(await dialog.findByRole('button', { name: 'Give role' }))
    const choice = within(await screen.findByRole('dialog', { name: 'Give role' }))
    await user.click(choice.getByRole('radio', { name: /^Administrator/ }))
    await user.click(choice.getByRole('radio', { name: 'All servers' }))
    await user.click(choice.getByRole('button', { name: 'Give role' }))
    await waitFor(() => expect(dialog.getByRole('radio', { name: 'Admin' })).toHaveProperty('checked', true))
  })

  it('is absent where the server has no invitations', async () => {
    const prepare = alterReplies('setting', (data) => ({ ...(data as object), wheelhouse: { version: '1.0.0' } }))
    await renderConsole({ path, prepare })
    await screen.findByRole('button', { name: 'Actions for member' })
    expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull()
  })
})
