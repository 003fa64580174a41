import { describe, expect, it, vi } from 'vitest'
import { createSelector, createSnapshot } from '../../../server/db/selector.ts'
import { openStore } from '../../../server/db/store.ts'

interface Row {
  id: number
  name: string
  tags: string[]
}

const definition = {
  name: 'machine',
  columns: [
    { name: 'name', type: 'TEXT' },
    { name: 'tags', type: 'JSON', initial: [] },
  ],
} as const

/** @param count rows, named "old 0" and so on */
function machines(count = 10) {
  const store = openStore(':memory:')
  const onDisk = store.table<Row>(definition)
  const reads = vi.spyOn(onDisk, 'all')
  const table = store.resident<Row>(definition)
  for (let number = 0; number < count; number++) table.insert({ name: `old ${number}` })
  const before = table.all()
  reads.mockClear()
  return { store, table, onDisk, before, reads }
}

const namesOf = (rows: readonly Row[]) => rows.map(({ id, name }) => `${id} ${name}`)

describe('rows in memory', () => {
  it('follow each change without reading the others again', () => {
    const { store, table, before, reads } = machines()
    table.update(3, { name: 'renamed' })
    table.remove([5, 7])
    store.transaction(() => table.insert({ name: 'new' }))
    const rows = table.all()
    expect(namesOf(rows)).toEqual([
      '1 old 0',
      '2 old 1',
      '3 renamed',
      '4 old 3',
      '6 old 5',
      '8 old 7',
      '9 old 8',
      '10 old 9',
      '11 new',
    ])
    expect(rows[0]).toBe(before[0])
    expect(before).toHaveLength(10)
    expect(table.get(3)).toBe(rows[2])
    expect(table.get(5)).toBeUndefined()
    expect(reads).not.toHaveBeenCalled()
  })

  it('are found by their values, which may be lists, and counted', () => {
    const { table } = machines()
    table.update(2, { tags: ['x'] })
    table.update(4, { tags: ['x'], name: 'old 1' })
    expect(namesOf(table.find({ tags: ['x'] }))).toEqual(['2 old 1', '4 old 1'])
    expect(namesOf(table.find({ name: 'old 1', tags: undefined }))).toEqual(['2 old 1', '4 old 1'])
    expect([table.count(), table.count({ name: 'old 1' }), table.count({ name: 'old' })]).toEqual([10, 2, 0])
  })

  it('are what they were before a transaction that is rolled back, without reading the others again', () => {
    const { store, table, before, reads } = machines()
    expect(() =>
      store.transaction(() => {
        table.update(1, { name: 'taken back' })
        table.remove([2])
        table.insert({ name: 'taken back' })
        expect(namesOf(table.all()).slice(0, 2)).toEqual(['1 taken back', '3 old 2'])
        throw new Error('refused')
      }),
    ).toThrow('refused')
    expect(namesOf(table.all())).toEqual(namesOf(before))
    expect(table.all()[2]).toBe(before[2])
    expect(reads).not.toHaveBeenCalled()
  })

  it('are what they were before an inner transaction that is rolled back while the outer one goes on', () => {
    const { store, table } = machines(2)
    store.transaction(() => {
      table.update(1, { name: 'outer' })
      const inner = () =>
        store.transaction(() => {
          table.update(1, { name: 'inner' })
          expect(table.get(1)?.name).toBe('inner')
          throw new Error('refused')
        })
      expect(inner).toThrow('refused')
      expect(table.get(1)?.name).toBe('outer')
    })
    expect(namesOf(table.all())).toEqual(['1 outer', '2 old 1'])
  })

  it('are what the disk holds when the end of a transaction fails', () => {
    const { store, table } = machines(1)
    const failing = () =>
      store.transaction(() => {
        table.update(1, { name: 'never' })
        return Promise.resolve(table.all())
      })
    expect(failing).toThrow('cannot wait')
    expect(namesOf(table.all())).toEqual(['1 old 0'])
  })

  it('follow what is written past them, also where it is not known which rows', () => {
    const { table, onDisk } = machines()
    onDisk.update(9, { name: 'past' })
    expect(table.get(9)?.name).toBe('past')
    onDisk.removeBelow('id', 9)
    expect(namesOf(table.all())).toEqual(['9 past', '10 old 9'])
  })

  it('are right after thousands of writes, with the objects of those that were not written', () => {
    const { table, onDisk, before } = machines(500)
    for (let count = 0; count < 2500; count++) table.update(1 + (count % 400), { name: `new ${count}` })
    table.remove([3])
    expect(table.all()).toEqual(onDisk.all())
    expect(table.all()[498]).toBe(before[499])
  })

  it('are found by another key, which may change', () => {
    const { store, table } = machines(3)
    const byName = table.index(({ name }) => name)
    table.update(1, { name: 'new' })
    table.remove([2])
    expect([...byName()].map(([name, { id }]) => `${name} ${id}`).sort()).toEqual(['new 1', 'old 2 3'])
    expect(() =>
      store.transaction(() => {
        table.update(1, { name: 'newer' })
        expect(byName().get('newer')?.id).toBe(1)
        throw new Error('refused')
      }),
    ).toThrow('refused')
    expect([byName().get('newer'), byName().get('new')?.id]).toEqual([undefined, 1])
  })
})

describe('the changes of a table', () => {
  it('are told with the row before and after, where one of the columns was written', () => {
    const { table } = machines(2)
    const changes: unknown[] = []
    table.onChange(['name'], (change) => changes.push(change))
    const [first, second] = table.all()
    table.update(1, { tags: ['x'] })
    table.update(1, { name: 'new', tags: [] })
    table.update(99, { name: 'nobody' })
    table.remove([2, 2, 99])
    table.insert({ name: 'added' })
    expect(changes).toEqual([
      { before: { ...first, tags: ['x'] }, after: { ...first, name: 'new' } },
      { before: second },
      { after: { id: 3, name: 'added', tags: [] } },
    ])
  })

  it('are in one transaction with what is made of them', () => {
    const { store, table, before } = machines(2)
    const log = store.table<Row>({ ...definition, name: 'log' })
    table.onChange(['name'], ({ after }) => {
      log.insert({ name: after?.name })
      if (after?.name === 'refused') throw new Error('refused')
    })
    table.update(1, { name: 'new' })
    expect(() => table.update(2, { name: 'refused' })).toThrow('refused')
    expect(log.all().map(({ name }) => name)).toEqual(['new'])
    expect(table.get(2)?.name).toBe(before[1]?.name)
  })
})

describe('a selector', () => {
  it('computes again after one of its tables was written, and only then', () => {
    const { store, table } = machines(2)
    const other = store.resident<Row>({ ...definition, name: 'other' })
    const compute = vi.fn((one: readonly Row[], two: readonly Row[]) => one.length + two.length)
    const sum = createSelector([table, other], compute)
    const snapshot = createSnapshot([table, other])
    const before = snapshot()
    expect([sum(), sum()]).toEqual([2, 2])
    expect(snapshot()).toBe(before)
    other.insert({})
    expect([sum(), sum()]).toEqual([3, 3])
    expect(compute).toHaveBeenCalledTimes(2)
    expect(snapshot()).not.toBe(before)
  })
})
