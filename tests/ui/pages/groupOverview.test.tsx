import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { site } from '../../support/console/overviewPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const server = (id: number, name: string, more = {}) => ({
  id,
  name,
  last_active: new Date().toISOString(),
  host: { mem_total: 4096, disk_total: 1000 },
  state: { uptime: 60, cpu: id * 10, mem_used: 1024, disk_used: 100, net_in_speed: 1024, net_out_speed: 0 },
  ...more,
})
const servers = [
  server(1, 'web-1'),
  server(2, 'web-2'),
  server(3, 'db-3', { last_active: '0001-01-01T00:00:00Z' }),
  server(4, 'other-4', { last_active: '0001-01-01T00:00:00Z' }),
]

const open = (path = '/dashboard/server-group/1/overview') =>
  renderConsole({
    path,
    records: {
      server: servers.map(({ name }) => ({ name })),
      service: [
        { ...site, cover: 1, skip_servers: { 2: true } },
        { ...site, name: 'Elsewhere', cover: 1, skip_servers: { 4: true } },
      ],
      'server-group': [{ name: 'Europe', servers: [1, 2, 3] }],
    },
    prepare: alterReplies('server', () => servers),
  })

// Only rows in view are drawn, and jsdom has no layout.
beforeEach(() => void vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(640))
afterEach(() => void vi.restoreAllMocks())

describe('The page of a group', () => {
  it('has its servers with those in trouble first, what they use together, its services and its trouble', async () => {
    await open()
    await screen.findByRole('heading', { level: 1, name: 'Europe' })
    const table = within(await screen.findByRole('table', { name: 'Servers' }))
    await waitFor(() =>
      expect(table.getAllByRole('link').map((link) => link.textContent)).toEqual(['db-3', 'web-1', 'web-2']),
    )
    expect(table.getByRole('link', { name: 'web-1' }).getAttribute('href')).toBe('/dashboard/server/1/overview')
    const trouble = await screen.findByRole('list', { name: 'What is wrong now' })
    expect(within(trouble).getAllByRole('listitem')).toHaveLength(1)
    within(trouble).getByRole('link', { name: 'db-3' })
    const sums = document.querySelector('dl[aria-label="Current metrics"]')
    await waitFor(() => expect(sums?.textContent).toContain('Online21 offline'))
    expect(sums?.textContent).toContain('CPU15%highest 20% (web-2)')
    expect(sums?.textContent).toContain('Memory25%2 KiB / 8 KiB')
    expect(sums?.textContent).toContain('↓ 2.0 KiB/s')
    const related = within(screen.getByRole('region', { name: 'Related' }))
    await related.findByRole('link', { name: 'Site' })
    expect(related.queryByRole('link', { name: 'Elsewhere' })).toBeNull()
  })

  it('leads to the list with its servers, and to its form', async () => {
    const { user } = await open()
    await user.click(await screen.findByRole('link', { name: 'Show in the list' }))
    const rows = () => [...document.querySelectorAll('tbody tr[data-row]')].map((row) => row.getAttribute('data-row'))
    await waitFor(() => expect(rows().toSorted()).toEqual(['1', '2', '3']))
  })

  it('opens from the list of groups', async () => {
    const { user } = await open('/dashboard/server-group')
    await user.click(await screen.findByRole('link', { name: 'Europe' }))
    await screen.findByRole('heading', { level: 1, name: 'Europe' })
    await user.click(screen.getByRole('link', { name: 'Edit Europe' }))
    await screen.findByRole('textbox', { name: 'Name' })
  })
})
