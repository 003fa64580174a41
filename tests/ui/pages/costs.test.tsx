import { screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { contract } from '../../../src/schemas/machines/contract.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const path = '/dashboard/server-group/costs'
const priced = (id: number, fields: object) => ({
  name: `web-${id}`,
  uuid: `u-${id}`,
  contract: contract.parse(fields),
})

const records = {
  server: [
    priced(1, { price: 120, currency: 'EUR', cycle: 'year', provider: 'Hetzner', ends_at: '2030-02-15T00:00:00Z' }),
    priced(2, { price: 8, currency: 'USD', provider: '<img src=x onerror=alert(1)>' }),
    priced(3, { price: 5, currency: 'EUR' }),
  ],
  'server-group': [{ name: 'shop', servers: [1, 2] }],
  'notification-group': [{ name: 'money', notifications: [] }],
}

const rowsOf = async (panel: string) => {
  const region = within(await screen.findByRole('region', { name: panel }))
  return region
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )
}

describe('The page of costs', () => {
  it('shows sums by group, provider and month, and what ends next', async () => {
    await renderConsole({ path, records })
    expect(await rowsOf('By group')).toEqual([
      ['shop', '2', '€10.00', '0 B'],
      ['Without a group', '1', '€5.00', '0 B'],
    ])
    expect(await rowsOf('By provider')).toEqual([
      ['Hetzner', '1', '€10.00', '0 B'],
      ['<img src=x onerror=alert(1)>', '1', '€0.00', '0 B'],
      ['Without a provider', '1', '€5.00', '0 B'],
    ])
    expect((await rowsOf('What ends next')).map(([name, provider]) => [name, provider])).toEqual([['web-1', 'Hetzner']])
    expect(await rowsOf('Due in the next 12 months')).toHaveLength(12)
    screen.getByText('Prices in USD are in no sum: they have no rate.')
    expect(screen.getByRole('link', { name: 'Costs' }).getAttribute('aria-current')).toBe('page')
  })

  it('keeps the choice of the period above what is being read, so that nothing moves', async () => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const prepare = (app: FastifyInstance) => {
      app.addHook('preHandler', async ({ url }) => {
        if (url.startsWith('/api/v1/wheelhouse/costs')) await answered
      })
    }
    await renderConsole({ path, records, prepare })
    const period = await screen.findByRole('combobox')
    const loading = await screen.findByText('Loading')
    expect(period.compareDocumentPosition(loading) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
    answer()
    await screen.findByRole('region', { name: 'By group' })
  })

  it('takes rates and notifier groups of administrators', async () => {
    const { user } = await renderConsole({ path, records })
    const rate = await screen.findByRole('textbox', { name: 'One USD in EUR' })
    await user.type(rate, 'much')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tell of traffic and contracts' }), 'money')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Report' }), 'Every week')
    await screen.findByText('Must be a number')
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
    await user.clear(rate)
    await user.type(rate, '0,5')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(async () =>
      expect(await rowsOf('By provider')).toContainEqual(['<img src=x onerror=alert(1)>', '1', '€4.00', '0 B']),
    )
    expect(screen.getByRole('combobox', { name: 'Tell of traffic and contracts' })).toHaveProperty('value', '1')
    // What the rate is for.
    expect(screen.getByRole('textbox', { name: 'Currency of sums' })).toHaveProperty('value', 'EUR')
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  })

  it('says in words what was set before, and numbers stand at the right', async () => {
    const { user } = await renderConsole({ path, records })
    await user.type(await screen.findByRole('textbox', { name: 'One USD in EUR' }), '0.5')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Report' }), 'Every week')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true))
    await user.click(screen.getByRole('button', { name: 'History' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Rates and messages' }))
    const row = (name: string) => dialog.findByRole('row', { name: new RegExp(`^${name}`) })
    expect((await row('Report')).textContent).toBe('ReportNeverEvery week')
    expect((await row('Rates')).textContent).toMatch(/USD 0\.5$/)
    const table = within(screen.getByRole('region', { name: 'By provider', hidden: true }))
    const cells = table.getAllByRole('row', { hidden: true }).map((one) => [...one.children])
    for (const [name, ...numbers] of cells) {
      expect(name).not.toHaveProperty('dataset.number')
      expect(numbers.map((cell) => cell.getAttribute('data-number'))).toEqual(['true', 'true', 'true'])
    }
  })

  it('has no settings for members', async () => {
    await renderConsole({ path, records, role: 'member' })
    expect(await rowsOf('By provider')).toHaveLength(3)
    expect(screen.queryByRole('form', { name: 'Rates and messages' })).toBeNull()
  })

  it('says where prices are typed while there are none', async () => {
    await renderConsole({ path })
    await screen.findByText(/^No server has a price or an end yet/)
  })
})
