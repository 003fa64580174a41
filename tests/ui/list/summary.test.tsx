import { screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { address } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const servers = ['web-1', 'web-2', 'db-1'].map((name, index) => ({
  id: index + 1,
  name,
  last_active: index < 2 ? '2026-11-21T08:00:00Z' : '0001-01-01T00:00:00Z',
}))
const checks = (down: boolean) => ({ current_up: down ? 0 : 9, current_down: down ? 9 : 0, total_up: 9 })

function site(app: FastifyInstance) {
  alterReplies('server', () => servers)(app)
  alterReplies('service', () => ({ services: { 1: checks(true), 2: checks(false) } }))(app)
  alterReplies('wheelhouse/alarms', () => ({ value: [], pagination: { limit: 1, total: 2 } }))(app)
}

const summary = async () => within(await screen.findByRole('navigation', { name: 'Summary' })).getAllByRole('link')

describe('The line above the list of servers', () => {
  it('counts servers, alarms and services, and each part leads to what it counts', async () => {
    const { user, network } = await renderConsole({ prepare: site })
    await waitFor(async () => expect(await summary()).toHaveLength(5))
    const links = await summary()
    expect(links.map(({ textContent }) => textContent)).toEqual([
      '3 servers',
      '2 online',
      '1 offline',
      '2 alarms',
      '1 service down',
    ])
    expect(links.map((link) => decodeURIComponent(link.getAttribute('href') ?? ''))).toEqual([
      '/dashboard',
      '/dashboard?filter={"status":"online"}',
      '/dashboard?filter={"status":"offline"}',
      '/dashboard/alarm?filter={"state":"running"}',
      '/dashboard/service?filter={"status":"down"}',
    ])
    await user.click(screen.getByRole('link', { name: '1 offline' }))
    await waitFor(() => expect(document.querySelectorAll('tbody tr[data-row]')).toHaveLength(1))
    expect(address()).toBe('/dashboard?filter={"status":"offline"}')
    expect(screen.getByRole('link', { name: '1 offline' }).getAttribute('aria-current')).toBe('true')
    // The line and the navigation share one request.
    expect(network.sent.filter(({ path }) => path.startsWith('wheelhouse/alarms'))).toHaveLength(1)
  })

  it('counts the services of a member alone, as the list to which it leads', async () => {
    await renderConsole({
      role: 'member',
      prepare: (app) => {
        site(app)
        alterReplies('service/list', () => [{ id: 2, name: 'own', type: 3, target: 'a.example:1', duration: 30 }])(app)
      },
    })
    await screen.findByRole('link', { name: '0 services down' })
    expect((await summary()).at(-1)?.textContent).toBe('0 services down')
  })

  it('leaves out what the server does not have', async () => {
    const { network } = await renderConsole({
      prepare: (app) => {
        site(app)
        alterReplies('service', () => ({}))(app)
        alterSetting({}, { wheelhouse: undefined })(app)
      },
    })
    await screen.findByRole('link', { name: '1 offline' })
    expect((await summary()).map(({ textContent }) => textContent)).toEqual(['3 servers', '2 online', '1 offline'])
    expect(network.sent.filter(({ path }) => path.includes('alarms'))).toEqual([])
  })
})

describe('The navigation', () => {
  it('has the number of running alarms, on every page and for members too', async () => {
    const { user } = await renderConsole({ path: '/dashboard/nat', role: 'member', prepare: site })
    const badge = (await screen.findAllByRole('link', { name: '2 running alarms' }))[0] as HTMLElement
    expect(badge.textContent).toBe('2')
    await user.click(badge)
    await waitFor(() => expect(address()).toBe('/dashboard/alarm?filter={"state":"running"}'))
  })

  it('says nothing while no alarm is running', async () => {
    await renderConsole({ path: '/dashboard/nat' })
    await screen.findByRole('link', { name: 'Notification' })
    expect(screen.queryByRole('link', { name: /running alarm/ })).toBeNull()
  })
})
