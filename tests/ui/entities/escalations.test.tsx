import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { enterText } from '../../support/console/enterText.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const notifier = { name: 'phone', url: 'https://example.org', request_method: 1, request_type: 1, user_id: 1 }
const rota = {
  name: 'Night watch',
  people: [1, 2],
  handover: 1,
  weekday: 0,
  handover_at: '09:00',
  time_zone: 'Europe/Berlin',
  starts_on: '2026-11-16',
  overrides: [],
  user_id: 1,
}
const records = {
  notification: [notifier],
  'notification-group': [{ name: 'Operations', notifications: [1], user_id: 1 }],
  rota: [rota],
}

it('a plan is made of steps, each with a group or whoever is on duty', async () => {
  const { user, storedRows } = await renderConsole({ records, path: '/dashboard/escalation/create' })
  const dialog = within(await screen.findByRole('dialog'))
  await enterText(user, await dialog.findByRole('textbox', { name: 'Name' }), 'Standard')
  await user.click(await dialog.findByRole('button', { name: 'Add a step' }))
  const first = within(await dialog.findByRole('region', { name: 'Step 1' }))
  await user.click(await first.findByRole('combobox', { name: 'Notifier group' }))
  await user.click(await screen.findByRole('option', { name: /Operations/ }))
  await user.click(dialog.getByRole('button', { name: 'Add a step' }))
  const second = within(await dialog.findByRole('region', { name: 'Step 2' }))
  await user.selectOptions(second.getByRole('combobox', { name: 'Tells' }), 'Whoever is on duty')
  await user.click(await second.findByRole('combobox', { name: 'Rota' }))
  await user.click(await screen.findByRole('option', { name: /Night watch/ }))
  await user.click(await dialog.findByRole('button', { name: 'Sat' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await expect
    .poll(() => storedRows('escalation'))
    .toMatchObject([
      {
        name: 'Standard',
        steps: [
          { after_min: 0, notification_group_id: 1 },
          { after_min: 15, rota_id: 1 },
        ],
        days: ['saturday'],
      },
    ])
})

it('the page of a rota says who is on duty, and warns of people whom nothing reaches', async () => {
  const { user } = await renderConsole({ records, path: '/dashboard/rota/1/overview' })
  expect(await screen.findByText(/^admin has chosen no notifier in the profile/)).toBeTruthy()
  expect(await screen.findByText(/^member has chosen no notifier in the profile/)).toBeTruthy()
  expect(screen.getByText(/^On duty now: (admin|member)$/)).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'Create an address' }))
  expect(await screen.findByText(/\/api\/rota\/1-1-[\w-]{32}\.ics$/)).toBeTruthy()
})

it('the page of a rota names two people whom nothing reaches, and the others when somebody asks', async () => {
  const names = ['ann', 'bob', 'eve', 'joe']
  const shifts = names.map((name, index) => ({
    from: new Date(Date.now() + index * 86_400_000).toISOString(),
    to: new Date(Date.now() + (index + 1) * 86_400_000).toISOString(),
    user_id: index + 5,
    name,
    is_override: false,
    problem: 'no_notifiers',
  }))
  const { user } = await renderConsole({
    records,
    path: '/dashboard/rota/1/overview',
    prepare: alterReplies('wheelhouse/rotas/1/shifts', () => ({ shifts, time_zone: 'UTC' })),
  })
  const warning = within(await screen.findByRole('alert'))
  const named = () => warning.getAllByText(/has chosen no notifier/).map(({ textContent }) => textContent?.slice(0, 3))
  expect(named()).toEqual(['ann', 'bob'])
  await user.click(warning.getByRole('button', { name: '+ 2 more' }))
  expect(named()).toEqual(names)
})

it('people choose in their profile by which notifiers they are told while on duty', async () => {
  const { user } = await renderConsole({ records, path: '/dashboard/profile' })
  const panel = within(await screen.findByRole('region', { name: 'On-call duty' }))
  await user.click(await panel.findByRole('combobox', { name: 'My notifiers' }))
  await user.click(await screen.findByRole('option', { name: /phone/ }))
  await user.click(panel.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Your notifiers were saved')).toBeTruthy()
})
