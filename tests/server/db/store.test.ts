import { describe, expect, it } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import type { TableDefinition } from '../../../server/db/table.ts'

interface Row {
  id: number
  name: string
  open: boolean
  tags: string[]
  size: number | null
}

const boxes: TableDefinition = {
  name: 'toy-box',
  columns: [
    { name: 'name', type: 'TEXT', initial: "it's" },
    { name: 'open', type: 'FLAG', initial: false },
    { name: 'tags', type: 'JSON', initial: [] },
    { name: 'size', type: 'REAL' },
  ],
}

const emptyBoxes = () => openStore(':memory:').table<Row>(boxes)

describe('a table', () => {
  it('gives back what it was given, in its types', () => {
    const table = emptyBoxes()
    const row = { name: 'a\0b 😀', open: true, tags: ['x'], size: 1.5 }
    expect(table.get(table.insert(row))).toEqual({ id: 1, ...row })
  })

  it('fills in what was not given', () => {
    const table = emptyBoxes()
    table.insert({})
    expect(table.all()).toEqual([{ id: 1, name: "it's", open: false, tags: [], size: null }])
  })

  it('finds rows by their values, nothing included', () => {
    const table = emptyBoxes()
    table.insert({ name: 'a', open: true, tags: ['x'] })
    table.insert({ name: 'b', open: true, size: 2 })
    expect(table.find({ open: true, size: null }).map(({ name }) => name)).toEqual(['a'])
    expect(table.find({ tags: ['x'], name: undefined }).map(({ name }) => name)).toEqual(['a'])
    expect(table.find({})).toHaveLength(2)
  })

  it('changes only what is named, and says whether there was such a row', () => {
    const table = emptyBoxes()
    table.insert({ name: 'a', size: 2 })
    expect(table.update(1, { size: 3 })).toBe(true)
    expect(table.get(1)).toMatchObject({ name: 'a', size: 3 })
    expect(table.update(7, { size: 3 })).toBe(false)
  })

  it('never gives an id twice', () => {
    const table = emptyBoxes()
    table.insert({})
    table.insert({})
    expect(table.remove([2, 2, 99])).toBe(1)
    expect(table.insert({})).toBe(3)
    expect(table.count()).toBe(2)
  })

  it('refuses a column that it does not have', () => {
    expect(() => emptyBoxes().insert({ nmae: 'a' } as object)).toThrow('The table toy-box has no column nmae.')
  })

  it('refuses the same value twice where it must be the only one', () => {
    const table = openStore(':memory:').table({ name: 'u', columns: [{ name: 'n', type: 'TEXT', unique: true }] })
    table.insert({ n: 'a' } as object)
    expect(() => table.insert({ n: 'a' } as object)).toThrow('UNIQUE constraint failed: u.n')
  })
})

describe('a store', () => {
  it('keeps single values by name', () => {
    const store = openStore(':memory:')
    store.setValue('a', { b: [1] })
    store.setValue('a', { b: [2] })
    expect(store.value('a')).toEqual({ b: [2] })
    store.setValue('a', undefined)
    expect(store.value('a')).toBeUndefined()
  })

  it('takes back all writes of a transaction that fails', () => {
    const store = openStore(':memory:')
    const table = store.table<Row>(boxes)
    const failing = () =>
      store.transaction(() => {
        table.insert({})
        throw new Error('no')
      })
    expect(failing).toThrow('no')
    expect(table.count()).toBe(0)
  })

  it('takes back only the inner writes when the outer work goes on', () => {
    const store = openStore(':memory:')
    const table = store.table<Row>(boxes)
    store.transaction(() => {
      table.insert({ name: 'outer' })
      const inner = () =>
        store.transaction(() => {
          table.insert({ name: 'inner' })
          throw new Error('no')
        })
      expect(inner).toThrow('no')
    })
    expect(table.all().map(({ name }) => name)).toEqual(['outer'])
  })

  it('gives a value as the same object until it is set, and as it was after a transaction that fails', () => {
    const store = openStore(':memory:')
    store.setValue('a', { b: 1 })
    const value = store.value('a')
    expect(store.value('a')).toBe(value)
    const failing = () =>
      store.transaction(() => {
        store.setValue('a', { b: 2 })
        expect(store.value('a')).toEqual({ b: 2 })
        throw new Error('no')
      })
    expect(failing).toThrow('no')
    expect(store.value('a')).toEqual({ b: 1 })
  })

  it('refuses a transaction that would wait, and takes its writes back', () => {
    const store = openStore(':memory:')
    const table = store.table<Row>(boxes)
    expect(() => store.transaction(async () => table.insert({}))).toThrow('cannot wait')
    expect(table.count()).toBe(0)
  })
})
