import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

it('A mute for an hour whose answer is lost is made once, when it is saved again and when its dialog was opened anew', async () => {
  const { user, network, storedRows } = await renderConsole({
    path: '/dashboard/server',
    records: { server: [{ name: 'web-1', uuid: 'w1' }] },
  })
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Actions for web-1' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Mute' }))
    return within(await screen.findByRole('dialog', { name: /Mute/ }))
  }
  const first = await open()
  network.losesReplies = true
  await user.click(first.getByRole('button', { name: 'Mute' }))
  await waitFor(() => expect(toasts().join()).toContain('cannot be reached'))
  await user.click(first.getByRole('button', { name: 'Mute' }))
  await waitFor(() => expect(network.sent.filter(({ method }) => method === 'POST')).toHaveLength(2))
  await waitFor(() => expect(first.getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', false))
  await user.click(first.getByRole('button', { name: 'Cancel' }))
  network.losesReplies = false
  const again = await open()
  await user.click(again.getByRole('button', { name: 'Mute' }))
  await waitFor(() => expect(toasts().join()).toContain('web-1 is muted'))
  expect(network.sent.filter(({ method, path }) => method === 'POST' && path === 'wheelhouse/mutes')).toHaveLength(3)
  expect(storedRows('mute')).toHaveLength(1)
})
