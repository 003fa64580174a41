import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { maxFormerPrices } from '../../../src/domain/contract/formerPrices.ts'
import type { Costs } from '../../../src/schemas/endpoints/contractEndpoints.ts'
import { contract } from '../../../src/schemas/machines/contract.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** A server with a contract of 5 EUR a month, in November, whose stored contract is asked for. */
async function withPrice(fields: object = {}) {
  vi.stubEnv('TZ', 'UTC')
  onTestFinished(() => void vi.unstubAllEnvs())
  const server = await testServer()
  const admin = await signedIn(server)
  const table = entityTable(server.store, servers)
  const id = table.insert({
    name: 'web-1',
    uuid: 'a',
    user_id: 1,
    contract: contract.parse({ price: 5, currency: 'EUR', ...fields }),
  })
  return {
    server,
    stored: () => table.get(id)?.contract,
    save: async (given: object) =>
      (await admin.call('PATCH', `server/${id}`, { body: { name: 'web-1', contract: given } })).body,
    /** @param period how many back */
    async costs(period: number, at: string) {
      server.clock.now = Date.parse(at)
      const browser = await signedIn(server)
      return ((await browser.get(`wheelhouse/costs?period=${period}`)).body as { data: Costs }).data
    },
  }
}

const until = (moment: string, price = 5) => ({ price, currency: 'EUR', cycle: 'month', until: moment })

describe('What a server cost before', () => {
  it('is kept when a program that knows nothing of it saves another price, and whatever else it saves', async () => {
    const { save, stored } = await withPrice()
    await save({ price: 5, currency: 'EUR', provider: 'Hetzner' })
    expect(stored()?.former_prices).toEqual([])
    await save({ price: 6, currency: 'EUR' })
    expect(stored()).toMatchObject({ price: 6, former_prices: [until(expect.any(String))] })
    await save({ price: 6, currency: 'EUR', note: 'paid by card' })
    expect(stored()?.former_prices).toHaveLength(1)
  })

  it('is corrected without a new time when the save says what was before', async () => {
    const { save, stored } = await withPrice()
    await save({ price: 6, currency: 'EUR', former_prices: [] })
    expect(stored()).toMatchObject({ price: 6, former_prices: [] })
    const sorted = [until('2026-02-01T00:00:00Z', 3), until('2026-06-01T00:00:00Z', 4)]
    await save({ price: 6, currency: 'EUR', former_prices: sorted.toReversed() })
    expect(stored()?.former_prices).toEqual(sorted)
  })

  it('has limits, and no end that is still to come', async () => {
    const { save, stored } = await withPrice()
    const former_prices = Array.from({ length: maxFormerPrices }, (_, day) =>
      until(new Date(Date.UTC(2020, 0, day + 1)).toISOString()),
    )
    expect(await save({ price: 6, former_prices: [...former_prices, until('2026-01-01T00:00:00Z')] })).toMatchObject({
      error: expect.stringContaining('former_prices'),
    })
    expect(await save({ price: 6, former_prices: [until('2999-01-01T00:00:00Z')] })).toMatchObject({
      error: expect.stringContaining('must not be in the future'),
    })
    expect(await save({ price: 6, former_prices: [until('yesterday')] })).toMatchObject({ error: expect.any(String) })
    await save({ price: 6, currency: 'EUR', former_prices })
    await save({ price: 7, currency: 'EUR' })
    expect(stored()?.former_prices).toHaveLength(maxFormerPrices)
    expect(stored()?.former_prices?.at(-1)).toMatchObject({ price: 6 })
  })

  it('is what the costs of a past period are, by the days on which each price held', async () => {
    const { costs } = await withPrice({
      price: 8,
      former_prices: [until('2026-09-01T00:00:00Z', 2), until('2026-10-16T12:00:00Z', 5)],
    })
    const now = '2026-11-20T00:00:00Z'
    expect(await costs(0, now)).toMatchObject({ total: { month: 8 }, servers: [{ price: 8, month: 8 }] })
    // October: half of it each.
    const october = await costs(1, now)
    expect(october.total.month).toBeCloseTo(6.5)
    expect(october.servers).toMatchObject([{ price: 8, currency: 'EUR' }])
    expect((await costs(2, now)).total.month).toBeCloseTo(5)
    expect(await costs(3, now)).toMatchObject({ total: { month: 2 }, servers: [{ price: 2, month: 2 }] })
  })

  it('counts until the contract ended', async () => {
    const { costs } = await withPrice({ ends_at: '2026-09-16T00:00:00Z' })
    const now = '2026-11-20T00:00:00Z'
    expect((await costs(0, now)).total.month).toBe(0)
    expect((await costs(1, now)).total.month).toBe(0)
    expect((await costs(2, now)).total.month).toBeCloseTo(2.5)
    expect((await costs(3, now)).total.month).toBeCloseTo(5)
  })
})
