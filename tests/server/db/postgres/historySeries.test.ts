import { expect, it } from 'vitest'
import { createPostgresSeries } from '../../../../server/db/postgres/historySeries.ts'

const day = 86_400

it('a year of two hundred services of a server is read whole, and not only its beginning', async () => {
  const tier = { step: day / 4, keep: 400 * day }
  const [buckets, services] = [365 * 4, 200]
  const rows = Array.from({ length: buckets * services }, (_, at) => [
    String(Math.floor(at / services) * tier.step),
    String((at % services) + 1),
    '7',
    '1',
  ])
  const series = createPostgresSeries({
    schema: '"wheelhouse"',
    definition: { name: 'check', columns: ['up'], tiers: [tier] },
    writer: {
      run: async () => {},
      runOnce: async () => {},
      settle: async () => {},
      rows: async () => [],
      ready: async () => {},
      close: () => {},
    },
    reader: {
      rows: async (statement) => rows.slice(0, Number(/LIMIT (\d+)/.exec(statement)?.[1])),
      close: () => {},
    },
    days: 400,
    onFull: () => {},
    pauseMs: 0,
  })
  const found = await series.ofOther(tier, { from: 0, until: 365 * day * 1000 }, 7)
  expect(found).toHaveLength(buckets * services)
  expect(found.at(-1)).toMatchObject({ at: (365 * day - tier.step) * 1000, one: services })
  expect(await series.ofOne(tier, { from: 0, until: 365 * day * 1000 }, 1)).toHaveLength(buckets * services)
})
