import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { expectHiddenTab } from '../../support/console/expectHiddenTab.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { exampleSnapshot } from '../../support/inspect/exampleSnapshot.ts'

const page = { path: '/dashboard/alarm' }

const seconds = (ago: number) => new Date(Date.now() - ago * 1000).toISOString()

const fired = { rule_id: 3, rule_name: 'busy', server_id: 1, server_name: 'web-1', notified: true }
const alarms = [
  {
    ...fired,
    id: 9,
    started_at: seconds(95),
    causes: [
      { type: 'cpu', value: 90.4, max: 90 },
      { type: 'net_all_speed', value: 512, min: 1024 },
    ],
  },
  {
    ...fired,
    id: 8,
    rule_name: 'away',
    started_at: '2026-11-20T10:00:00Z',
    ended_at: '2026-11-20T12:30:00Z',
    causes: [{ type: 'offline' }],
  },
  {
    ...fired,
    id: 7,
    rule_name: 'old',
    started_at: '2026-11-20T10:00:00Z',
    ended_at: '2026-11-20T10:00:09Z',
    causes: [{ type: 'fan_speed', value: 3, max: 2 }],
    withdrawn: true,
    notified: undefined,
  },
  {
    ...fired,
    id: 6,
    rule_name: 'full',
    started_at: seconds(95),
    causes: [{ type: 'disk', value: 97, max: 90 }],
    paused: true,
  },
]

const alarmReplies = alterReplies('wheelhouse/alarms', () => ({ value: alarms, pagination: { limit: 10, total: 4 } }))

/** The cells of the row with this text. */
const cellsOf = async (text: string) =>
  within((await screen.findByText(text)).closest('tr') as HTMLElement)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

describe('The list of alarms', () => {
  it('shows rule, server, value and duration of each alarm', async () => {
    await renderConsole({ ...page, prepare: alarmReplies })
    expect(await cellsOf('busy')).toEqual([
      'Running',
      expect.any(String),
      expect.stringMatching(/^[1-9] min/),
      'busy',
      'web-1',
      'CPU use 90.4%, above 90% · Total speed 512 B/s, below 1 KiB/s',
      'Yes',
      '',
    ])
    expect((await cellsOf('away')).slice(0, 6)).toEqual([
      'Recovered',
      expect.any(String),
      '2 h 30 min',
      'away',
      'web-1',
      'Server is offline',
    ])
    expect((await cellsOf('old')).slice(0, 6)).toEqual([
      'Withdrawn',
      expect.any(String),
      '9 s',
      'old',
      'web-1',
      'fan_speed 3, above 2',
    ])
    expect((await cellsOf('full')).slice(0, 3)).toEqual([
      'Paused',
      expect.any(String),
      expect.stringMatching(/^[1-9] min/),
    ])
  })

  it('updates the duration of a running alarm every second', async () => {
    await renderConsole({ ...page, prepare: alarmReplies })
    const before = (await cellsOf('busy'))[2]
    await waitFor(async () => expect((await cellsOf('busy'))[2]).not.toBe(before))
    expect((await cellsOf('away'))[2]).toBe('2 h 30 min')
  })

  it('links to the rule and to the server', async () => {
    const rule = { id: 3, name: 'busy', rules: [{ type: 'cpu', max: 90, duration: 10 }], enable: true }
    await renderConsole({ ...page, records: { 'alert-rule': [rule] }, prepare: alarmReplies })
    const row = within((await screen.findByText('busy')).closest('tr') as HTMLElement)
    expect((await row.findByRole('link', { name: 'busy' })).getAttribute('href')).toBe('/dashboard/alert-rule/3')
    expect(row.getByRole('link', { name: 'web-1' }).getAttribute('href')).toBe('/dashboard/server/1/overview')
  })

  it('has no link to a rule of somebody else', async () => {
    const rule = { id: 3, name: 'busy', rules: [{ type: 'cpu', max: 90, duration: 10 }], enable: true, user_id: 1 }
    const prepare = alarmReplies
    const { settled } = await renderConsole({ ...page, role: 'member', records: { 'alert-rule': [rule] }, prepare })
    const row = within((await screen.findByText('busy')).closest('tr') as HTMLElement)
    await settled()
    expect(row.queryByRole('link', { name: 'busy' })).toBeNull()
    expect(row.getByRole('link', { name: 'web-1' })).toBeTruthy()
  })

  it('is a tab beside the rules, empty until an alarm starts', async () => {
    const { user } = await renderConsole({ path: '/dashboard/alert-rule' })
    await user.click(await screen.findByRole('link', { name: 'Alarms' }))
    await screen.findByText(/^Every time an alert rule fires/)
    expect(window.location.pathname).toBe('/dashboard/alarm')
    expect(screen.queryByRole('button', { name: /^Create/ })).toBeNull()
  })

  it('is a tab for members too', async () => {
    await renderConsole({ path: '/dashboard/alert-rule', role: 'member' })
    await screen.findByRole('link', { name: 'Alarms' })
  })

  it('is neither a tab nor requested if the server does not announce it', () => expectHiddenTab(page))
})

describe('The snapshot of an alarm', () => {
  const [running] = alarms
  const withSnapshot = alterReplies('wheelhouse/alarms', () => ({
    value: [{ ...running, snapshot: true }, alarms[1]],
    pagination: { limit: 10, total: 2 },
  }))

  it('shows what took most, which disks are full, what failed, and what the machine could not say', async () => {
    const { user } = await renderConsole({
      ...page,
      prepare(app) {
        withSnapshot(app)
        alterReplies('wheelhouse/alarms/9/snapshot', () => exampleSnapshot)(app)
      },
    })
    const row = within((await screen.findByText('busy')).closest('tr') as HTMLElement)
    await user.click(row.getByRole('button', { name: /^Actions/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Snapshot' }))
    const dialog = within(await screen.findByRole('dialog', { name: /^Snapshot of web-1/ }))
    const part = async (name: string) => within(await dialog.findByRole('region', { name }))
    const firstCell = async (name: string) => (await part(name)).getAllByRole('cell')[0]?.textContent
    expect(await firstCell('Most CPU')).toBe('yes')
    expect(await firstCell('Most memory')).toBe('postgres: writer')
    expect(await firstCell('File systems')).toBe('/')
    expect((await part('File systems')).getByText('md0 active raid1 [U_]')).toBeTruthy()
    expect((await part('Failed units')).getByText('backup.service')).toBeTruthy()
    expect((await part('Journal')).getByText('Not there on this machine: journalctl')).toBeTruthy()
  })

  it('is offered only where there is one', async () => {
    const { user } = await renderConsole({ ...page, prepare: withSnapshot })
    const row = within((await screen.findByText('away')).closest('tr') as HTMLElement)
    expect(row.queryByRole('button', { name: /^Actions/ })).toBeNull()
    await user.click(screen.getByText('busy'))
  })
})
