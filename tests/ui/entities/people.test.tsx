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

  it('is absent where the server has no invitations', async () => {
    const prepare = alterReplies('setting', (data) => ({ ...(data as object), wheelhouse: { version: '1.0.0' } }))
    await renderConsole({ path, prepare })
    await screen.findByRole('button', { name: 'Actions for member' })
    expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull()
  })
})
