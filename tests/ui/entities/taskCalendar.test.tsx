import '@testing-library/jest-dom/vitest'
import { screen, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const path = '/dashboard/cron/calendar'
const task = { task_type: 0, command: 'uptime', cover: 0, servers: [1, 2] }
const records = {
  server: [{ name: 'db-fra-1' }, { name: 'web-3' }],
  cron: [
    { ...task, name: 'Nightly backup', scheduler: 'CRON_TZ=UTC 0 0 3 * * *' },
    { ...task, name: 'Log rotation', scheduler: 'CRON_TZ=UTC 0 0 3,9 22 * *', servers: [2] },
    { ...task, name: 'Idle', scheduler: 'CRON_TZ=UTC 0 0 5 22 * *', servers: [] },
    { ...task, name: 'Yearly', scheduler: '0 0 0 1 1 *' },
    { ...task, name: 'Broken', scheduler: '0 3 * * *' },
    { ...task, name: 'Restart', task_type: 1, scheduler: '' },
  ],
}

/** A server that says its time zone, and one like a Nezha server, which does not. */
const inZone = (timezone: string | undefined) =>
  alterReplies('setting', (data) => {
    const { wheelhouse, ...setting } = data as { wheelhouse: object }
    return timezone ? { ...setting, wheelhouse: { ...wheelhouse, timezone } } : setting
  })

describe('The next 48 hours of tasks', () => {
  it('say of each task when it runs next, and what overlaps where and when', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T22:10:30Z') })
    onTestFinished(() => void vi.useRealTimers())
    const { user } = await renderConsole({ path, records, prepare: inZone('Asia/Tokyo') })
    const rows = within(await screen.findByRole('list', { name: 'Next 48 hours' })).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'Log rotation2 runs, next at Sun 12:00 · 1 overlap',
      'Nightly backup2 runs, next at Sun 12:00 · 1 overlap',
      'Idle1 run, at Sun 14:00 · no server selected',
    ])
    screen.getByText('Times are those of the server, in Asia/Tokyo.')
    const overlaps = within(screen.getByRole('region', { name: 'Overlaps' })).getAllByRole('listitem')
    expect(overlaps.map(({ textContent }) => textContent)).toEqual(['Log rotation and Nightly backupweb-3 · Sun 12:00'])
    expect(screen.getByRole('alert')).toHaveTextContent(/never runs:Broken · Needs 6 fields/)
    expect(screen.getByRole('region', { name: 'Not in the next 48 hours' })).toHaveTextContent('Yearly')
    screen.getByText('1 task runs only when an alert triggers it.')
    await user.click(screen.getAllByRole('link', { name: 'Nightly backup' })[0] as HTMLElement)
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await screen.findByRole('list', { name: 'Next 48 hours' })
    expect(window.location.pathname).toBe(path)
  })

  it('are computed in the zone of this browser on a server that does not say its own, and say so', async () => {
    await renderConsole({ path, prepare: inZone(undefined) })
    await screen.findByText(/^This server does not say its time zone\./)
    await screen.findByText('No task runs in the next 48 hours.')
    expect(screen.getByRole('link', { name: 'Tasks' })).toHaveAttribute('href', '/dashboard/cron')
  })
})
