import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const notifiers = ['Chat', 'Mail', 'Pager'].map((name) => ({
  name,
  url: 'https://chat.example.org/',
  request_method: 1,
  request_type: 1,
}))

describe('Enter in a field that offers records', () => {
  it('chooses what was typed, and does not save the form without it', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/notification-group/create',
      records: { notification: notifiers },
    })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'On call')
    await user.type(await screen.findByRole('combobox', { name: /^Notifiers/ }), 'pag')
    await screen.findByRole('option', { name: 'Pager' })
    await user.keyboard('{Enter}')
    await within(screen.getByRole('dialog')).findByText('Pager')
    expect(storedRows('notification-group')).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(storedRows('notification-group')).toMatchObject([{ notifications: [3] }]))
  })

  it('keeps what was typed where nothing has that name', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/server-group/create',
      records: { server: [{ name: 'web-1' }] },
    })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Shop')
    const picker = await screen.findByRole('combobox', { name: /^Servers/ })
    await user.type(picker, 'db-1')
    expect(picker).toHaveProperty('value', 'db-1')
    await user.keyboard('{Enter}')
    expect(picker).toHaveProperty('value', 'db-1')
    expect(storedRows('server-group')).toEqual([])
  })
})
