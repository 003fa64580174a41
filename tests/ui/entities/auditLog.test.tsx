import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { expectHiddenTab } from '../../support/console/expectHiddenTab.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const page = { path: '/dashboard/settings/audit' }

describe('The audit log', () => {
  it('shows administrators who did what, newest first', async () => {
    const { user } = await renderConsole({ path: '/dashboard/settings/user' })
    await user.click(await screen.findByRole('button', { name: 'Actions for member' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete “member”?' }))
    await dialog.findByText('Nothing belongs to this account.')
    await user.click(dialog.getByRole('button', { name: 'Delete “member”' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(await screen.findByRole('link', { name: 'Audit log' }))
    const cells = within((await screen.findByText('user.delete')).closest('tr') as HTMLElement).getAllByRole('cell')
    expect(cells.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^\w{3} \d+, 20\d\d, [\d:]+\s[AP]M$/),
      'admin #1',
      'User: deleteduser.delete',
      'User “member”',
      '127.0.0.1',
      'records: delete, name: member',
    ])
    // Nothing can be done with lines of the log, so nothing is selected in it either.
    expect(screen.queryAllByRole('checkbox')).toEqual([])
    expect(screen.queryByRole('columnheader', { name: 'Actions' })).toBeNull()
  })

  it('names records and leads to them, and has words for what was done', async () => {
    const value = [
      { id: 4, action: 'cron.run', target: 'cron 4', detail: { name: 'Back up' } },
      { id: 3, action: 'server.delete', target: 'server 7, 8', detail: { name: 'web-1, web-2' } },
      { id: 2, action: 'server-group.update', target: 'server-group 5' },
      { id: 1, action: 'from.tomorrow', target: 'moon 3' },
    ]
    await renderConsole({
      ...page,
      locale: 'de-DE',
      prepare: alterReplies('wheelhouse/audit', () => ({ value, pagination: { limit: 10, total: 4 } })),
    })
    const link = await screen.findByRole('link', { name: 'Aufgabe „Back up“' })
    expect(link.getAttribute('href')).toBe('/dashboard/cron/4')
    screen.getByText('Aufgabe: gestartet')
    screen.getByText('Server: gelöscht')
    expect(screen.getByText('Server 7, 8 (web-1, web-2)').closest('a')).toBeNull()
    expect(screen.getByRole('link', { name: 'Servergruppe #5' }).getAttribute('href')).toBe(
      '/dashboard/server-group/5/overview',
    )
    screen.getByText('from.tomorrow')
    screen.getByText('moon 3')
  })

  it('shows an unreadable line unchanged', async () => {
    const value = [{ id: 8, unreadable: '{"at":"20' }]
    await renderConsole({
      ...page,
      prepare: alterReplies('wheelhouse/audit', () => ({ value, pagination: { limit: 10, total: 1 } })),
    })
    await screen.findByText('Unreadable line: {"at":"20')
  })

  it('is neither a tab nor requested if the server does not announce it', () => expectHiddenTab(page))

  it('is hidden from members', async () => {
    const { network } = await renderConsole({ ...page, role: 'member' })
    await screen.findByText('This page is for administrators only.')
    expect(network.sent.filter(({ path }) => path.startsWith('wheelhouse/audit'))).toEqual([])
  })
})
