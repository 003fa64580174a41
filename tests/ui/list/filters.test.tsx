import { screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { address } from '../../support/console/listPage.ts'
import { type RenderOptions, renderConsole } from '../../support/console/renderConsole.tsx'

const machine = (platform: string, version: string, country_code: string, ipv4_addr: string) => ({
  host: { platform, version },
  geoip: { country_code, ip: { ipv4_addr } },
})
const servers = alterReplies('server', () => [
  { id: 1, name: 'web-1', ...machine('alpine', '1.10.0', 'it', '192.0.2.1'), owner: { id: 1, username: 'admin' } },
  { id: 2, name: 'db-1', ...machine('debian', '2.0.4', 'de', '198.51.100.2'), owner: { id: 2, username: 'member' } },
  { id: 3, name: 'new' },
])

const names = () => [...document.querySelectorAll('tbody tr[data-row]')].map((row) => row.querySelector('a')?.title)

async function openFilters(options: RenderOptions) {
  const { user } = await renderConsole(options)
  await waitFor(() => expect(names().length).toBeGreaterThan(1))
  await user.click(screen.getByRole('button', { name: 'Filters' }))
  return { user, panel: within(await screen.findByRole('dialog', { name: 'Filters' })) }
}

describe('The list of servers is filtered', () => {
  const records = { 'server-group': [{ name: 'Edge', servers: [1] }] }

  it.each([
    ['Group', 'Edge #1', 'web-1', 'Group: Edge'],
    ['Country', 'Germany', 'db-1', 'Country: Germany'],
    ['Platform', 'alpine', 'web-1', 'Platform: alpine'],
    ['Version', '2.0.4', 'db-1', 'Version: 2.0.4'],
    ['Owner', 'member', 'db-1', 'Owner: member'],
  ])('by %s, which the address has', async (label, choice, name, chip) => {
    const { user, panel } = await openFilters({ prepare: servers, records })
    const select = panel.getByLabelText(label)
    await user.selectOptions(select, await within(select).findByRole('option', { name: choice }))
    await waitFor(() => expect(names()).toEqual([name]))
    expect(document.body.textContent).toContain(chip)
    await waitFor(() => expect(address()).toContain('filter='))
  })

  it('by a part of an address', async () => {
    const { user, panel } = await openFilters({ prepare: servers, records })
    await user.type(panel.getByLabelText('IP'), '198.51')
    await waitFor(() => expect(names()).toEqual(['db-1']))
  })

  it('by what the address of the page says, also where no row has the value any more', async () => {
    const { user } = await renderConsole({
      prepare: servers,
      records,
      path: `/dashboard?filter=${encodeURIComponent('{"country":"fr"}')}`,
    })
    await screen.findByText('No results')
    expect(document.body.textContent).toContain('Country: France')
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    await screen.findByRole('option', { name: 'France' })
  })
})

describe('The list of services is filtered', () => {
  it('by state', async () => {
    const services = ['Shop', 'Gate'].map((name, index) => ({ id: index + 1, name, target: '192.0.2.1', type: 2 }))
    const checks = (down: boolean) => ({ current_up: down ? 0 : 9, current_down: down ? 9 : 0, total_up: 9 })
    const prepare = (app: FastifyInstance) => {
      alterReplies('service/list', () => services)(app)
      alterReplies('service', () => ({ services: { 1: checks(true), 2: checks(false) } }))(app)
    }
    const { user, panel } = await openFilters({ path: '/dashboard/service', prepare })
    await user.selectOptions(panel.getByLabelText('Status'), 'Down')
    await waitFor(() => expect(names()).toEqual(['Shop']))
  })
})

describe('The alarm history, which the server pages, is filtered', () => {
  it('by rule, server, state and words, with one request for a whole word', async () => {
    const alarms = ['busy', 'away'].map((rule_name, index) => ({
      id: index + 1,
      rule_id: 1,
      rule_name,
      server_id: 1,
      server_name: 'web-1',
      started_at: '2026-11-20T10:00:00Z',
    }))
    const { user, network } = await renderConsole({
      path: '/dashboard/alarm',
      records: { server: [{ name: 'web-1', uuid: 'u-1' }], 'alert-rule': [{ name: 'busy', rules: [] }] },
      prepare: alterReplies('wheelhouse/alarms', () => ({ value: alarms, pagination: { limit: 10, total: 2 } })),
    })
    await screen.findByText('away')
    const asked = () =>
      network.sent.map(({ path }) => decodeURIComponent(path)).filter((path) => path.includes('alarms'))
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    const panel = within(await screen.findByRole('dialog', { name: 'Filters' }))
    await user.selectOptions(panel.getByLabelText('Status'), 'Running')
    await user.selectOptions(panel.getByLabelText('Server'), await screen.findByRole('option', { name: 'web-1 #1' }))
    await user.selectOptions(panel.getByLabelText('Rule'), await screen.findByRole('option', { name: 'busy #1' }))
    await waitFor(() => expect(asked().at(-1)).toContain('&state=running&rule_id=1&server_id=1'))
    await user.keyboard('{Escape}')
    const before = asked().length
    await user.type(screen.getByRole('searchbox'), 'away')
    await waitFor(() => expect(asked().at(-1)).toContain('&q=away'))
    expect(asked().length - before).toBeLessThanOrEqual(2)
    await waitFor(() => expect(address()).toContain('"q":"away"'))
    expect(document.body.textContent).toContain('Rule: busy')
  })
})
