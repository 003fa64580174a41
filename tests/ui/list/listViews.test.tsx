import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const never = '0001-01-01T00:00:00Z'
const server = (id: number, name = `web-${id}`, more = {}) => ({
  id,
  name,
  display_index: 1000 - id,
  last_active: new Date().toISOString(),
  ...more,
})

/** Servers in two groups. */
const open = (path: string, servers = [server(1), server(2), server(3, 'db-3', { last_active: never }), server(4)]) =>
  renderConsole({
    path: `/dashboard${path}`,
    records: {
      server: servers.map(({ name, display_index }) => ({ name, display_index })),
      'server-group': [
        { name: 'Europe', servers: [1, 3] },
        { name: 'Web', servers: [1, 2] },
      ],
    },
    // A long reply is compressed.
    prepare: servers.length < 10 ? alterReplies('server', () => servers) : undefined,
  })

const openMenu = async (user: Awaited<ReturnType<typeof open>>['user']) => {
  await user.click(await screen.findByRole('button', { name: 'View options' }))
  return within(await screen.findByRole('dialog', { name: 'View options' }))
}
const rowIds = () =>
  [...document.querySelectorAll('tbody tr[data-row]')].map((row) => Number(row.getAttribute('data-row')))

describe('The wall', () => {
  const wall = async () => within(await screen.findByRole('main', { name: 'Wall, for a screen' }))
  const tiles = async () => (await wall()).getAllByRole('listitem').map(({ textContent }) => textContent)

  it('has what is wrong first, and all else behind the names of groups; nothing below it can be reached', async () => {
    await open('?view=wall')
    await waitFor(async () =>
      expect(await tiles()).toEqual([
        expect.stringMatching(/^Offlinedb-3/),
        'Europe1 online',
        'web-1Online',
        'Web2 online',
        'web-1Online',
        'web-2Online',
        'Without a group1 online',
        'web-4Online',
      ]),
    )
    expect((await wall()).getByRole('status').textContent).toMatch(/^1 problem3 online \/ 4/)
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByRole('searchbox')).toBeNull()
  })

  it('has the servers of a filter alone', async () => {
    await open(`?view=wall&filter=${encodeURIComponent('{"group":"2"}')}`)
    await waitFor(async () =>
      expect((await wall()).getByRole('status').textContent).toMatch(/^Nothing is wrong\.2 online \/ 2/),
    )
  })

  it('is left by Escape, and by a button that comes with the pointer', async () => {
    const { user } = await open('?view=wall&sort=name&order=ASC')
    const main = await screen.findByRole('main', { name: 'Wall, for a screen' })
    expect(main.hasAttribute('data-idle')).toBe(true)
    fireEvent.pointerMove(window)
    expect(main.hasAttribute('data-idle')).toBe(false)
    await user.click(within(main).getByRole('button', { name: 'Leave' }))
    await screen.findByRole('table', { name: 'Servers' })
    expect(window.location.search).toBe('?sort=name&order=ASC')
    await user.click((await openMenu(user)).getByRole('menuitemradio', { name: 'Wall, for a screen' }))
    await wall()
    await user.keyboard('{Escape}')
    await screen.findByRole('table', { name: 'Servers' })
  })
})

describe('The list', () => {
  it('has cards on a wide screen by choice, which stays and is in the address', async () => {
    const { user } = await open('')
    await screen.findByRole('table', { name: 'Servers' })
    await user.click((await openMenu(user)).getByRole('menuitemradio', { name: 'Cards' }))
    expect(within(await screen.findByRole('list', { name: 'Servers' })).getAllByRole('checkbox')).toHaveLength(4)
    expect(window.location.search).toBe('?view=cards')
    // What headings do in a table.
    screen.getByRole('button', { name: 'Sort and select' })
    const menu = await openMenu(user)
    expect(menu.getByRole('menuitemradio', { name: 'Cards' }).getAttribute('aria-checked')).toBe('true')
    await user.click(menu.getByRole('menuitemradio', { name: 'Table' }))
    await screen.findByRole('table', { name: 'Servers' })
  })

  it('has its rows below the headings of their groups by choice, with counts that lead to the groups', async () => {
    const { user } = await open('')
    await waitFor(() => expect(rowIds()).toEqual([3, 1, 2, 4]))
    await user.click((await openMenu(user)).getByRole('menuitemcheckbox', { name: 'Rows below their groups' }))
    await waitFor(() => expect(rowIds()).toEqual([3, 1, 1, 2, 4]))
    const headings = [...document.querySelectorAll('tbody th')].map(({ textContent }) => textContent)
    expect(headings).toEqual(['Europe 2', 'Web 2', 'Without a group 1'])
    const europe = document.querySelector('tbody th a')
    expect(europe?.getAttribute('href')).toBe('/dashboard/server-group/1/overview')
  })

  it('has all rows on one page by choice, of which only those in the window are there', async () => {
    const { user } = await open(
      '',
      Array.from({ length: 110 }, (_, index) => server(index + 1)),
    )
    await waitFor(() => expect(rowIds()).toHaveLength(10))
    const size = screen.getByRole('combobox', { name: 'Rows per page' }) as HTMLSelectElement
    expect(size.selectedOptions[0]?.text).toBe('as many as fit')
    await user.selectOptions(size, 'all')
    await waitFor(() => {
      expect(rowIds().length).toBeGreaterThan(20)
      expect(rowIds().length).toBeLessThan(80)
    })
    expect(rowIds()[0]).toBe(1)
    expect(window.location.search).toContain('pageSize=all')
    await user.click(screen.getByLabelText('Select all rows on this page'))
    await screen.findByText('110 selected')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), 'as many as fit')
    await waitFor(() => expect(rowIds()).toHaveLength(10))
    expect(window.location.search).not.toContain('pageSize')
  })
})
