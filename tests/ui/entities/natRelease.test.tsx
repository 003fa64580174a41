import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const profile = { enabled: true, server_id: 1, host: '127.0.0.1:80', user_id: 2 }
const records = {
  server: [{ name: 'box', uuid: 'a' }],
  nat: [
    { ...profile, name: 'nas', domain: 'nas.example.org', awaits_release: true },
    { ...profile, name: 'old', domain: 'old.example.org', awaits_release: false },
  ],
}

it('A host name that awaits release is released from the list, after a question; others offer no release', async () => {
  const { user, storedRows } = await renderConsole({ path: '/dashboard/nat', records })
  await screen.findByRole('columnheader', { name: 'Waiting for release' })
  await user.click(await screen.findByRole('button', { name: 'Actions for old' }))
  await screen.findByRole('menu')
  expect(screen.queryByRole('menuitem', { name: 'Release' })).toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Actions for nas' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Release' }))
  await screen.findByRole('alertdialog', { name: /^Release the host name of “nas”\?/ })
  await user.click(screen.getByRole('button', { name: 'Release' }))
  await waitFor(() => expect(toasts().join()).toContain('The host name is released.'))
  expect(storedRows('nat').map(({ awaits_release }) => awaits_release)).toEqual([false, false])
})

it('A member sees that a host name awaits release, and cannot release it', async () => {
  const { user } = await renderConsole({ path: '/dashboard/nat', records, role: 'member' })
  await user.click(await screen.findByRole('button', { name: 'Actions for nas' }))
  await screen.findByRole('menu')
  expect(screen.queryByRole('menuitem', { name: 'Release' })).toBeNull()
})
