import { describe, expect, it } from 'vitest'
import { sectionsOf } from '../../../src/engine/list/sections/sectionsOf.ts'
import { fittingRows, fittingSize, readListQuery, writeListQuery } from '../../../src/engine/list/state/listQuery.ts'
import { everyRow } from '../../../src/records/queryRows.ts'

describe('Rows of a page', () => {
  it.each([
    ['a small window', [1280, 720, false, false], 10],
    ['a window', [1440, 900, false, false], 13],
    ['a large window', [2560, 1440, false, false], 25],
    ['compact rows', [1440, 900, false, true], 15],
    ['cards beside each other', [1440, 900, true, false], 16],
    ['cards on a phone', [390, 844, true, false], 10],
    ['a wall of a window', [8000, 8000, true, false], 100],
  ] as const)('fill %s', (_what, [width, height, isCards, isDense], rows) => {
    expect(fittingRows(width, height, isCards, isDense)).toBe(rows)
  })

  it('may be all of them where all are in memory, in the address by their name', () => {
    const defaults = { sort: { field: 'id', order: 'ASC' as const }, perPage: 13 }
    expect(writeListQuery('?pageSize=20', { perPage: everyRow.perPage })).toBe('?pageSize=all')
    expect(readListQuery('?pageSize=all', defaults, true).perPage).toBe(everyRow.perPage)
    expect(readListQuery('?pageSize=all', defaults).perPage).toBe(100)
    expect(writeListQuery('?pageSize=20', { perPage: fittingSize })).toBe('')
    expect(readListQuery('', defaults).perPage).toBe(13)
  })
})

it('Sections have the rows of their group in the order of the list; rows of several stand in each, others last', () => {
  const groups = [
    { id: 1, name: 'Europe', servers: [3, 1] },
    { id: 2, name: 'Empty', servers: [9] },
    { id: 3, name: 'Web', servers: [2, 1] },
    { id: 4, name: 'None', servers: null },
  ]
  const sections = sectionsOf([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }], groups, 'servers')
  expect(sections.map(({ group, rows }) => [group?.name, ...rows.map(({ id }) => id)])).toEqual([
    ['Europe', 1, 3],
    ['Web', 1, 2],
    [undefined, 4],
  ])
})
