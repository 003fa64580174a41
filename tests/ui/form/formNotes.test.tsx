import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const group = (notifications: number[]) => ({ name: 'On call', notifications })
const notifier = { name: 'Chat', url: 'https://chat.example.org/', request_method: 1, request_type: 1 }
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const rule = { type: 'cpu', max: 95, duration: 10, cover: 0, ignore: {} }

describe('A form says before it is saved', () => {
  it('that nobody is notified of an alarm, also when the group has no notifiers', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: { 'notification-group': [group([])], 'alert-rule': [{ name: 'Load', rules: [rule] }] },
    })
    await screen.findByText('No notifier group is selected: nobody is notified.')
    await user.click(await screen.findByRole('combobox', { name: /^Notifier group/ }))
    await user.click(await screen.findByRole('option', { name: /On call/ }))
    await screen.findByText('The selected notifier group has no notifiers: nobody is notified.')
    expect(screen.queryByText(/^No notifier group is selected/)).toBeNull()
    await user.click(button('Save'))
    await noDialog()
    expect(storedRows('alert-rule')).toMatchObject([{ notification_group_id: 1 }])
  })

  it('nothing of a rule whose group has notifiers', async () => {
    await renderConsole({
      path: '/dashboard/alert-rule/1',
      records: {
        notification: [notifier],
        'notification-group': [group([1])],
        'alert-rule': [{ name: 'Load', rules: [rule], notification_group_id: 1 }],
      },
    })
    await screen.findByText('On call')
    expect(screen.queryByRole('note')).toBeNull()
  })

  it('that a service has a notifier group and no failure notification, and the other way round', async () => {
    const service = { name: 'Shop', type: 1, target: 'https://shop.example/', duration: 30 }
    const { user } = await renderConsole({
      path: '/dashboard/service/1',
      records: {
        notification: [notifier],
        'notification-group': [group([1])],
        service: [{ ...service, notification_group_id: 1, notify: false }],
      },
    })
    await screen.findByText(/^A notifier group is selected, but the failure notification is off/)
    await user.click(await screen.findByRole('switch', { name: 'Failure notification' }))
    await waitFor(() => expect(screen.queryByRole('note')).toBeNull())
    await user.clear(screen.getByRole('combobox', { name: /^Notifier group/ }))
    await screen.findByText('No notifier group is selected: nobody is notified.')
  })

  it('that a notifier group without notifiers reaches nobody', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/notification-group/create',
      records: { notification: [notifier] },
    })
    const text = 'There are no notifiers in this group: what is sent to it reaches nobody.'
    await enterText(user, await screen.findByRole('textbox', { name: 'Name' }), 'On call')
    await screen.findByText(text)
    await user.click(screen.getByRole('combobox', { name: /^Notifier/ }))
    await user.click(await screen.findByRole('option', { name: /Chat/ }))
    await waitFor(() => expect(screen.queryByText(text)).toBeNull())
  })

  it('what a new user will see, by their role', async () => {
    const { user } = await renderConsole({ path: '/dashboard/settings/user/create' })
    await screen.findByText(/^A user sees only what is their own, and at first no server: one appears when/)
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Role' }), 'Admin')
    await screen.findByText(/^An administrator sees and changes everything/)
    expect(screen.queryByText(/^A user sees only/)).toBeNull()
  })
})
