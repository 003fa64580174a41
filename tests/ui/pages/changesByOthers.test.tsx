import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { announceChangesByOthers, type ChangesByOthers } from '../../../src/lastVisit/changesByOthers.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const change = { at: '2026-11-21T00:00:00Z', user_id: 7, username: 'bert', address: '192.0.2.7', fields: [] }
const recorded: ChangesByOthers = {
  kind: 'recorded',
  total: 3,
  changes: [
    {
      ...change,
      id: 3,
      entity: 'cron',
      record_id: 1,
      record_name: 'Backup',
      action: 'updated',
      fields: [{ name: 'command', from: 'tar a', to: 'tar b' }],
    },
    { ...change, id: 2, entity: 'cron', record_id: 1, record_name: 'Backup', action: 'created' },
    { ...change, id: 1, entity: 'setting', record_id: 1, record_name: 'Site', action: 'updated' },
  ],
}

/** The console with the line of what others have changed. */
async function withChangesByOthers(found: ChangesByOthers) {
  const console = await renderConsole({ path: '/dashboard/service' })
  await screen.findByRole('heading', { level: 1 })
  const onSeen = vi.fn()
  act(() => announceChangesByOthers(found, onSeen))
  return { ...console, onSeen }
}

describe('After sign-in, a person', () => {
  it('reads in one line what others changed, opens the list with values and links, and is not shown it again', async () => {
    const { user, onSeen } = await withChangesByOthers(recorded)
    expect(await screen.findByText('Changed by others since your last visit: 1 task and 1 setting')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show' }))
    const dialog = await screen.findByRole('dialog', { name: 'Since your last visit' })
    const [latest, , site] = await within(dialog).findAllByRole('listitem')
    expect(latest?.textContent).toContain('Changed by bert')
    expect(latest?.textContent).toContain('from 192.0.2.7')
    const row = within(latest as HTMLElement).getByRole('row', { name: /^Command/ })
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['tar a', 'tar b'])
    expect(
      within(latest as HTMLElement)
        .getByRole('link', { name: 'Backup' })
        .getAttribute('href'),
    ).toContain('/cron/1')
    expect(within(site as HTMLElement).queryByRole('link')).toBeNull()
    expect(onSeen).not.toHaveBeenCalled()
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByText(/since your last visit/)).toBeNull())
    expect(onSeen).toHaveBeenCalledOnce()
  })

  it('of a Nezha server reads what is new, changed and gone, and dismisses it', async () => {
    const { user, onSeen } = await withChangesByOthers({
      kind: 'compared',
      differences: [{ entity: 'server-group', added: ['1'], changed: [], removed: ['4', '5'] }],
    })
    expect(await screen.findByText('Different since your last visit: 3 server groups')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show' }))
    const dialog = await screen.findByRole('dialog', { name: 'Since your last visit' })
    const gone = await within(dialog).findByText('Gone')
    expect(gone.nextElementSibling?.textContent).toBe('#4, #5')
    expect(within(dialog).queryByText('Changed')).toBeNull()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(onSeen).toHaveBeenCalledOnce())
  })
})
