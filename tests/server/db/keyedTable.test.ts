import { describe, expect, it } from 'vitest'
import { openStore, type Store } from '../../../server/db/store.ts'
import { keyedTable } from '../../../server/db/writeBehind.ts'

interface Box {
  id: number
  name: string
  size: number
}

const definition = {
  name: 'toy-box',
  columns: [
    { name: 'name', type: 'TEXT', unique: true },
    { name: 'size', type: 'INTEGER' },
  ],
} as const

const boxes = (store: Store) => keyedTable<Box, string>(store, definition, ({ name }) => name)
const box = (name: string, size: number) => [name, { name, size }] as const
const savedIn = (saved: () => ReadonlyMap<string, Box>) =>
  [...saved().values()].map(({ name, size }) => box(name, size))
const onDisk = (store: Store) => store.table<Box>(definition).all()
/** What no disk takes: all that is written together with it fails. */
const unwritable = ['x', { name: 'x', size: {} as number }] as const

describe('rows that belong to keys', () => {
  it('are added, changed and deleted as they are saved, also when the table is opened again', () => {
    const store = openStore(':memory:')
    const { saved, save } = boxes(store)
    save([box('a', 1), box('b', 2), box('c', 3)])
    save([box('b', 20), ['a', undefined], ['never', undefined]])
    expect(savedIn(saved)).toEqual([box('b', 20), box('c', 3)])
    expect(onDisk(store)).toEqual([
      { id: 2, name: 'b', size: 20 },
      { id: 3, name: 'c', size: 3 },
    ])
    const next = boxes(store)
    expect(savedIn(next.saved)).toEqual(savedIn(saved))
    next.save([box('c', 30)])
    expect(onDisk(store)).toContainEqual({ id: 3, name: 'c', size: 30 })
  })

  it('write nothing where nothing changes', () => {
    const store = openStore(':memory:')
    const { save } = boxes(store)
    const before = store.resident(definition).all()
    save([])
    expect(store.resident(definition).all()).toBe(before)
  })

  it('stay as they were when they cannot be written', () => {
    const store = openStore(':memory:')
    const { saved, save } = boxes(store)
    save([box('a', 1), box('b', 2)])
    expect(() => save([box('a', 10), ['b', undefined], box('c', 3), unwritable])).toThrow()
    expect(savedIn(saved)).toEqual([box('a', 1), box('b', 2)])
    expect(onDisk(store)).toEqual([
      { id: 1, name: 'a', size: 1 },
      { id: 2, name: 'b', size: 2 },
    ])
  })

  it('are written later when they could not be at first, each in its own row', () => {
    const store = openStore(':memory:')
    const { save } = boxes(store)
    save([box('old', 0)])
    expect(() => save([box('a', 1), box('b', 2), ['old', undefined], unwritable])).toThrow()
    // The ids that were taken back are given again, to others.
    save([box('c', 3), box('old', 4)])
    save([box('b', 2), box('a', 1)])
    save([box('a', 10)])
    expect(onDisk(store).map(({ name, size }) => `${name} ${size}`)).toEqual(['old 4', 'c 3', 'b 2', 'a 10'])
  })
})
