import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const memberId = 2
const groups = { 'notification-group': [{ name: 'Night shift', notifications: [] }] }

it('a member gives a record to their team in its form, and it is shown there afterwards', async () => {
  const { user, storedRows } = await renderConsole({
    path: '/dashboard/notification-group/1',
    role: 'member',
    records: groups,
    prepare({ auth: { teams } }) {
      teams.create({ name: 'Operations', users: [memberId], servers: [] })
      teams.create({ name: 'Somebody else’s', users: [], servers: [] })
    },
  })
  const form = await screen.findByRole('dialog')
  await user.click(await within(form).findByRole('combobox', { name: /^Team/ }))
  await user.click(await screen.findByRole('option', { name: 'Operations' }))
  expect(screen.queryByRole('option', { name: 'Somebody else’s' })).toBeNull()
  await user.click(button('Save'))
  await waitFor(() =>
    expect(storedRows('notification-group')).toMatchObject([{ team: 1, user_id: -1, made_by: memberId }]),
  )
})

it('nobody without a team sees anything of teams', async () => {
  await renderConsole({
    path: '/dashboard/notification-group/1',
    role: 'member',
    records: groups,
    prepare: ({ auth: { teams } }) => void teams.create({ name: 'Somebody else’s', users: [], servers: [] }),
  })
  const form = await screen.findByRole('dialog')
  expect(await within(form).findByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Night shift')
  expect(within(form).queryByRole('combobox', { name: /^Team/ })).toBeNull()
})
