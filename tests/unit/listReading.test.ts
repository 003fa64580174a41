import { describe, expect, it, vi } from 'vitest'
import { type ListMeta, readingOf } from '../../src/listReading.ts'
import { server } from '../../src/schemas/server.ts'

const columns: ListMeta['columns'] = {
  ip: { sortValue: (row) => row.ip },
  cpu: { sortValue: (row, _related, snapshot) => (snapshot as Map<unknown, number>).get(row.id) },
}
const matches: ListMeta['matches'] = {
  city: (row, wanted) => row.city === wanted,
  status: (row, wanted, snapshot) => (snapshot as Map<unknown, number>).has(row.id) === (wanted === 'online'),
}

async function read(query: Parameters<typeof readingOf>[2]) {
  const snapshot = vi.fn(async () => new Map([[1, 42]]))
  const reading = await readingOf(server, [], query, { columns, matches, snapshot }, async () => () => [])
  return { reading, asked: snapshot.mock.calls.length }
}

describe('a list that could look at live figures', () => {
  it('waits for them where a column sorts by them', async () => {
    const { reading, asked } = await read({ sort: { field: 'cpu', order: 'ASC' } })
    expect([reading.sortKey?.({ id: 1 }), asked]).toEqual([42, 1])
  })

  it('waits for them where a filter asks for them', async () => {
    const { reading, asked } = await read({ filter: { status: 'online' } })
    expect([reading.matches?.status?.({ id: 1 }, 'online'), asked]).toEqual([true, 1])
  })

  it('does not wait for them where records are enough', async () => {
    expect((await read({ sort: { field: 'ip', order: 'ASC' } })).asked).toBe(0)
    expect((await read({ sort: { field: 'name', order: 'ASC' }, filter: { city: 'Rome' } })).asked).toBe(0)
  })
})
