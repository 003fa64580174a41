import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { expectHiddenTab } from '../../support/console/expectHiddenTab.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const page = { path: '/dashboard/delivery' }

const line = {
  id: 3,
  at: '2026-11-21T09:00:00.000Z',
  notification_id: 1,
  notification_name: 'Chat',
  notification_group_id: 1,
  notification_group_name: 'Everybody',
  message: '[Incident] web-1',
  duration: 12,
}

const history = (...value: object[]) =>
  alterReplies('wheelhouse/deliveries', () => ({ value, pagination: { limit: 10, total: value.length } }))

describe('The delivery history', () => {
  it('is a tab of the notifiers and shows the result of each notification', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/notification',
      prepare: history(
        { ...line, state: 1, code: 200, reply: 'ok', tries: 1 },
        { ...line, id: 2, state: 2, reply: 'connection refused', tries: 3 },
        { ...line, id: 1, state: 3, count: 300 },
        // Of a reply without a body the server tells the status line.
        { ...line, id: 4, state: 4, code: 503, reply: '503 Service Unavailable' },
      ),
    })
    await user.click(await screen.findByRole('link', { name: 'Deliveries' }))
    const rowOf = async (text: string) =>
      within((await screen.findByText(text)).closest('tr') as HTMLElement)
        .getAllByRole('cell')
        .slice(1)
        .map(({ textContent }) => textContent)
    expect(await rowOf('Sent')).toEqual(['Sent', 'Chat', 'Everybody', '', '[Incident] web-1', '200 ok', '1', '12', ''])
    expect(await rowOf('Failed')).toEqual([
      'Failed',
      'Chat',
      'Everybody',
      '',
      '[Incident] web-1',
      'connection refused',
      '3',
      '12',
      '',
    ])
    expect(await screen.findByText('Dropped × 300')).toBeTruthy()
    expect(await rowOf('Interrupted')).toContain('503 Service Unavailable')
    // Messages of the past are only read; events can be sent again.
    expect(screen.queryAllByRole('checkbox')).toEqual([])
    const sent = (await screen.findByText('Sent')).closest('tr') as HTMLElement
    expect(within(sent).queryAllByRole('button')).toEqual([])
  })

  it('is shown to members too, and says if nothing was sent yet', async () => {
    await renderConsole({ ...page, role: 'member' })
    await screen.findByText('Every notification sent to a notifier is recorded here with its result.')
  })

  it('is neither a tab nor requested if the server does not announce it', () => expectHiddenTab(page))
})
