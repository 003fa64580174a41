import { expect, it, vi } from 'vitest'
import { cachedRow, cachedRows } from '../../../server/db/cachedRows.ts'
import { openStore } from '../../../server/db/store.ts'

interface Row {
  id: number
  name: string
}

function tenRows() {
  const store = openStore(':memory:')
  const table = store.table<Row>({ name: 'machine', columns: [{ name: 'name', type: 'TEXT' }] })
  for (let count = 0; count < 10; count++) table.insert({ name: `old ${count}` })
  const before = cachedRows(table)
  return { store, table, before, all: vi.spyOn(table, 'all') }
}

it('rows in memory follow each change without reading the others again', () => {
  const { store, table, before, all } = tenRows()
  table.update(3, { name: 'renamed' })
  table.remove([5, 7])
  store.transaction(() => table.insert({ name: 'new' }))
  const rows = cachedRows(table)
  expect(rows.map(({ id, name }) => `${id} ${name}`)).toEqual([
    ...['1 old 0', '2 old 1', '3 renamed', '4 old 3', '6 old 5', '8 old 7', '9 old 8', '10 old 9', '11 new'],
  ])
  expect(rows[0]).toBe(before[0])
  expect(before).toHaveLength(10)
  expect(cachedRow(table, 3)?.name).toBe('renamed')
  expect(cachedRow(table, 5)).toBeUndefined()
  expect(all).not.toHaveBeenCalled()
})

it('rows in memory are read again when a transaction was rolled back, or when it is not known what was deleted', () => {
  const { store, table, all } = tenRows()
  expect(() =>
    store.transaction(() => {
      table.update(1, { name: 'rolled back' })
      expect(cachedRow(table, 1)?.name).toBe('rolled back')
      throw new Error('refused')
    }),
  ).toThrow('refused')
  expect(cachedRow(table, 1)?.name).toBe('old 0')
  expect(all).toHaveBeenCalledTimes(1)
  table.removeBelow('id', 4)
  expect(cachedRows(table)).toHaveLength(7)
  expect(all).toHaveBeenCalledTimes(2)
})

it('rows in memory are right after thousands of writes', () => {
  const { table } = tenRows()
  for (let count = 0; count < 2500; count++) table.update(1 + (count % 10), { name: `new ${count}` })
  expect(cachedRows(table).map(({ name }) => name)).toEqual(table.all().map(({ name }) => name))
})
