import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const servers = alterReplies('server', () => [
  {
    id: 1,
    name: 'web-1',
    uuid: 'u-1',
    last_active: '2026-11-21T08:00:00Z',
    host: { platform: 'alpine', platform_version: '3.20', version: '1.10.0' },
    geoip: { country_code: 'it' },
  },
  {
    id: 2,
    name: 'db-1',
    uuid: 'u-2',
    last_active: '0001-01-01T00:00:00Z',
    host: { platform: 'debian', platform_version: '12.5', version: '2.0.4' },
    geoip: { country_code: 'de' },
  },
])

/** The records that are left when somebody searches for a text. */
async function found({ user }: Awaited<ReturnType<typeof renderConsole>>, text: string, count = 1) {
  const box = await screen.findByRole('searchbox')
  await user.clear(box)
  await user.type(box, text)
  const rows = () => [...document.querySelectorAll('tbody tr[data-row]')].map((row) => row.querySelector('a')?.title)
  await waitFor(() => expect(rows()).toHaveLength(count))
  return rows()
}

describe('A search for servers', () => {
  it.each([
    ['the platform', 'alpine', 'web-1'],
    ['the version of the platform', '12.5', 'db-1'],
    ['the version of the agent', '2.0.4', 'db-1'],
    ['the country', 'germany', 'db-1'],
    ['the state', 'offline', 'db-1'],
    ['the beginning of the state', 'onl', 'web-1'],
    ['state and country together', 'online italy', 'web-1'],
  ])('finds %s', async (_, text, name) => {
    const console = await renderConsole({ prepare: servers })
    await screen.findByRole('checkbox', { name: 'Select web-1' })
    expect(await found(console, text)).toEqual([name])
  })

  it('finds the words of the language on screen, and no longer those of another', async () => {
    const console = await renderConsole({ prepare: servers, locale: 'zh-CN' })
    await screen.findAllByText('web-1')
    expect(await found(console, '德国')).toEqual(['db-1'])
    expect(await found(console, '离线')).toEqual(['db-1'])
    expect(await found(console, 'germany', 0)).toEqual([])
  })
})

describe('A search for services', () => {
  const services = [
    { id: 1, name: 'Shop', target: 'https://example.com', type: 1, duration: 30 },
    { id: 2, name: 'Gate', target: '192.0.2.1', type: 2, duration: 30 },
  ]
  const checks = (down: boolean) => ({ current_up: down ? 0 : 9, current_down: down ? 9 : 0, total_up: 9 })

  it.each([
    ['that are down', 'Down', 'Shop'],
    ['by the word of their type', 'icmp', 'Gate'],
  ])('finds those %s', async (_, text, name) => {
    const console = await renderConsole({
      path: '/dashboard/service',
      prepare: (app) => {
        alterReplies('service/list', () => services)(app)
        alterReplies('service', () => ({ services: { 1: checks(true), 2: checks(false) } }))(app)
      },
    })
    await screen.findByText('Shop')
    expect(await found(console, text)).toEqual([name])
  })
})
