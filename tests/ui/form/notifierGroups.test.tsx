import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const hook = { name: 'Pager', url: 'https://pager.example/', request_method: 1, request_type: 1 }
const option = '+ New: Notifier group…'

it('a picker of notifier groups makes a new one, and the form below keeps what was typed', async () => {
  const { user, storedRows } = await renderConsole({
    path: '/dashboard/alert-rule/create',
    records: { notification: [hook] },
  })
  const form = await screen.findByRole('dialog', { name: 'Create: Alert rule' })
  await user.type(await within(form).findByRole('textbox', { name: 'Name' }), 'Too hot')
  await user.click(within(form).getByRole('combobox', { name: /^Notifier group/ }))
  await user.click(await screen.findByRole('option', { name: option }))
  const made = await screen.findByRole('dialog', { name: 'Create: Notifier group' })
  await user.type(await within(made).findByRole('textbox', { name: 'Name' }), 'Night shift')
  await user.click(within(made).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(within(form).getByRole('combobox', { name: /^Notifier group/ })).toHaveProperty('value', 'Night shift'),
  )
  expect(storedRows('alert-rule')).toEqual([])
  expect(within(form).getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Too hot')
  await user.click(button('Add rule'))
  await user.click(button('Save'))
  await waitFor(() => expect(storedRows('alert-rule')).toMatchObject([{ name: 'Too hot', notification_group_id: 1 }]))
})

const groups = [
  { name: 'Day shift', notifications: [1] },
  { name: 'Night shift', notifications: [2] },
  { name: 'Weekend', notifications: [] },
]
const notifiers = [hook, { ...hook, name: 'Mail' }]
const picker = () => screen.findByRole('combobox', { name: /^Notifier groups/ })
const chosen = async () => within((await picker()).closest('.MuiAutocomplete-root') as HTMLElement)

it('the form of a notifier changes the groups that it is in, and nothing else', async () => {
  const { user, network, storedRows } = await renderConsole({
    path: '/dashboard/notification/1',
    records: { notification: notifiers, 'notification-group': groups },
  })
  await waitFor(async () => expect((await chosen()).getByText('Day shift')).toBeDefined())
  await user.click(await picker())
  await user.click(await screen.findByRole('option', { name: 'Day shift' }))
  await user.click(await screen.findByRole('option', { name: 'Night shift' }))
  await user.click(button('Save'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(storedRows('notification-group')).toMatchObject([
    { name: 'Day shift', notifications: [] },
    { name: 'Night shift', notifications: [1, 2] },
    { name: 'Weekend', notifications: [] },
  ])
  const writes = network.sent.filter(({ method }) => method !== 'GET').map(({ path }) => path)
  expect(writes.filter((path) => !path.includes('notification-group'))).toEqual([])
  // The column shows it at once, for both notifiers.
  await waitFor(() => expect(screen.getAllByText('Night shift')).toHaveLength(2))
})

it('a new notifier is put into the groups that were chosen in its form', async () => {
  const { user, storedRows } = await renderConsole({
    path: '/dashboard/notification/create',
    records: { notification: notifiers, 'notification-group': groups },
  })
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Phone')
  await user.type(screen.getByRole('textbox', { name: /^URL/ }), 'https://phone.example/')
  await user.click(await screen.findByRole('switch', { name: 'Do not send a test message' }))
  await user.click(await picker())
  await user.click(await screen.findByRole('option', { name: 'Weekend' }))
  await user.click(button('Save'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(storedRows('notification')).toHaveLength(3)
  expect(storedRows('notification-group')[2]).toMatchObject({ name: 'Weekend', notifications: [3] })
})
