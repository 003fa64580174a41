import '@testing-library/jest-dom/vitest'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { type RenderOptions, renderConsole } from '../../support/console/renderConsole.tsx'
import { receiver } from '../../support/fakes/receiver.ts'

const setUp = 'Set up notifications'
const send = 'Send test and set up'
const made = async () => within(await screen.findByRole('region', { name: 'What was made' }))

async function openWebhook(options: RenderOptions = {}) {
  const target = await receiver()
  const page = await renderConsole({ path: '/dashboard/notification-setup?service=webhook', ...options })
  const url = await screen.findByLabelText('URL')
  await waitFor(() => expect(url).toHaveFocus())
  await enterText(page.user, url, `${target.origin}/hook`)
  return { ...page, ...target }
}

describe('The guide to the first notification', () => {
  it('leads from the strip above a list of servers to a message in three clicks beside typing', async () => {
    const { origin, deliveries } = await receiver()
    const { user, storedRows } = await renderConsole({ records: { server: [{ name: 'web-1' }] } })
    await screen.findByText(/^Nobody is told of trouble\./)
    await user.click(await screen.findByRole('link', { name: setUp }))
    await user.click(await screen.findByRole('button', { name: 'Webhook (JSON)' }))
    await waitFor(() => expect(screen.getByLabelText('URL')).toHaveFocus())
    await user.keyboard(`${origin}/hook`)
    await user.click(button(send))
    await screen.findByText(/^The receiver has accepted the test message/)
    expect(deliveries).toMatchObject([{ method: 'POST', url: '/hook' }])
    const [notifier] = storedRows('notification')
    const [group] = storedRows('notification-group')
    expect(group).toMatchObject({ name: 'On call', notifications: [notifier?.id] })
    expect(storedRows('alert-rule').map(({ name, notification_group_id }) => [name, notification_group_id])).toEqual(
      ['Server offline', 'Disk almost full', 'Memory almost full'].map((name) => [name, group?.id]),
    )
    expect(storedRows('alert-rule')).toMatchObject([
      { trigger_mode: 1, rules: [{ type: 'offline', recovery_duration: 60 }] },
      { trigger_mode: 1, rules: [{ type: 'disk', max: 90, recovery_max: 85, recovery_duration: 180 }] },
      { trigger_mode: 1, rules: [{ type: 'memory', max: 95, recovery_max: 85, recovery_duration: 180 }] },
    ])
    expect(screen.getByRole('link', { name: 'Done' }).getAttribute('href')).toBe('/dashboard')
  })

  it('takes back each thing that it made by itself, and sends the test message again', async () => {
    const { user, storedRows, deliveries } = await openWebhook()
    await user.click(button(send))
    await user.click(await screen.findByRole('button', { name: 'Undo: Disk almost full' }))
    await (await made()).findByText('Taken back')
    expect(storedRows('alert-rule').map(({ name }) => name)).toEqual(['Server offline', 'Memory almost full'])
    await user.click(button('Send again'))
    await waitFor(() => expect(deliveries).toHaveLength(2))
    await user.click(button('Undo: Webhook (JSON)'))
    await waitFor(async () => expect((await made()).getAllByText('Taken back')).toHaveLength(2))
    expect(storedRows('notification')).toEqual([])
    expect(storedRows('notification-group')).toMatchObject([{ name: 'On call', notifications: [] }])
  })

  it('makes nothing where the test message is refused, and keeps what was typed', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/notification-setup?service=webhook' })
    const { origin } = await receiver((reply) => reply.writeHead(403).end())
    await enterText(user, await screen.findByLabelText('URL'), `${origin}/hook`)
    await user.click(button(send))
    await screen.findByText(/^Nothing was saved\. .*403/)
    expect(screen.getByLabelText('URL')).toHaveValue(`${origin}/hook`)
    for (const name of ['notification', 'notification-group', 'alert-rule']) expect(storedRows(name)).toEqual([])
  })

  it('joins a group that is there, adds only rules that are missing, and takes in those that notify nobody', async () => {
    const rules = JSON.stringify([{ type: 'offline', duration: 20, cover: 0 }])
    const { user, storedRows } = await openWebhook({
      records: {
        'notification-group': [{ name: 'Night shift', notifications: [] }],
        'alert-rule': [{ name: 'Gone', rules: JSON.parse(rules) }],
      },
    })
    await user.selectOptions(screen.getByLabelText('Notifier group'), 'Night shift')
    expect(screen.queryByLabelText(/^Server offline/)).toBeNull()
    await user.click(screen.getByLabelText(/^Memory almost full/))
    await user.click(button(send))
    await made()
    expect(storedRows('notification-group')).toMatchObject([{ name: 'Night shift', notifications: [1] }])
    expect(storedRows('alert-rule').map(({ name, notification_group_id }) => [name, notification_group_id])).toEqual([
      ['Gone', 1],
      ['Disk almost full', 1],
    ])
    await user.click(button('Undo: Gone'))
    await (await made()).findByText('Taken back')
    expect(storedRows('alert-rule')[0]).toMatchObject({ name: 'Gone', notification_group_id: 0 })
  })

  it('has the technical form behind “Custom”, on other servers too, which send the test when they save', async () => {
    const { origin, deliveries } = await receiver()
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/notification',
      prepare: alterSetting({}, { wheelhouse: undefined }),
    })
    await user.click(await screen.findByRole('link', { name: setUp }))
    expect(await screen.findByRole('button', { name: 'Telegram' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Mail (SMTP)' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Custom…' }))
    await user.type(await screen.findByLabelText('Name'), 'Pager')
    await enterText(user, screen.getByLabelText('URL'), `${origin}/?text=%23NEZHA%23`)
    await user.click(button(send))
    await made()
    expect(deliveries).toHaveLength(1)
    expect(storedRows('notification')).toMatchObject([{ name: 'Pager', request_method: 1 }])
    const [offline] = storedRows('alert-rule')
    expect(offline?.rules).toEqual([{ type: 'offline', duration: 20, cover: 0 }])
  })
})

it('an empty list of alert rules leads to the guide', async () => {
  await renderConsole({ path: '/dashboard/alert-rule' })
  const link = await screen.findByRole('link', { name: setUp })
  expect(link.getAttribute('href')).toBe('/dashboard/notification-setup')
})
