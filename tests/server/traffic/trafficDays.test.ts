import { expect, it } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import type { Table } from '../../../server/db/table.ts'
import { openTrafficDays } from '../../../server/traffic/trafficDays.ts'

const dayMs = 86_400_000
const dayOf = (text: string) => Date.parse(text) / dayMs

it('reads the months that a period touches and no others', () => {
  const store = openStore(':memory:')
  const asked: object[] = []
  /** Notes what is read of the database. */
  const noting = <Row extends { id: number }>(table: Table<Row>): Table<Row> => ({
    ...table,
    find(where) {
      asked.push(where)
      return table.find(where)
    },
  })
  const notingStore = { ...store, table: (definition) => noting(store.table(definition)) } satisfies typeof store
  const days = openTrafficDays(
    notingStore,
    () => 'UTC',
    () => Date.parse('2026-12-01'),
  )
  for (let day = 0; day < 400; day++) {
    const at = Date.parse('2025-10-27') + day * dayMs
    days.observe(1, { net_in_transfer: day, net_out_transfer: 0, uptime: 1e6 + day * 86_400 }, 0, at)
  }
  days.saveNow()
  asked.length = 0
  const present = days.read(1, { first: dayOf('2026-11-15'), last: dayOf('2026-12-14') })
  expect(asked).toEqual([{ server_id: 1, month: 2026 * 12 + 11 }])
  expect(present.days.size).toBe(30)
  asked.length = 0
  const earlier = days.read(1, { first: dayOf('2026-01-15'), last: dayOf('2026-02-14') })
  expect(asked).toHaveLength(2)
  // The present month is in memory.
  expect(earlier.days.size).toBe(31 + 28 + 30)
  expect(earlier.since).toBe(Date.parse('2025-10-27'))
  expect(days.read(1).days.size).toBe(400)
  store.close()
})
