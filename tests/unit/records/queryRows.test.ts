import { describe, expect, it, vi } from 'vitest'
import { kindValues as kinds } from '../../../src/engine/kinds/values.ts'
import { searchTextOf } from '../../../src/records/queryPlan.ts'
import { queryRows, type Row, type RowQuery } from '../../../src/records/queryRows.ts'
import { describeFields } from '../../../src/schemas/define/describe.ts'
import { everyKind } from '../../support/console/everyKind.ts'

const fields = describeFields(everyKind)
const ids = (rows: readonly Row[], query: RowQuery) =>
  queryRows(rows, query, { fields, kinds }).data.map(({ id }) => id)
const named = (...names: unknown[]): Row[] => names.map((name, index) => ({ id: index + 1, name }))
const by = (field: string, order: 'ASC' | 'DESC' = 'ASC') => ({ sort: { field, order } })

describe('Sorting', () => {
  it('compares numbers within names as numbers, and ignores case', () => {
    expect(ids(named('web-10', 'web-9', 'Web-1', 'alpha'), by('name'))).toEqual([4, 3, 2, 1])
  })

  it('puts missing values last, ascending and descending', () => {
    const rows = named('b', null, 'a', undefined, '')
    expect(ids(rows, by('name'))).toEqual([3, 1, 2, 4, 5])
    expect(ids(rows, by('name', 'DESC'))).toEqual([1, 3, 2, 4, 5])
  })

  it('keeps equal rows in the order of their ids, ascending and descending', () => {
    const rows = [3, 1, 2].map((id) => ({ id, name: 'same' }))
    expect(ids(rows, by('name'))).toEqual([1, 2, 3])
    expect(ids(rows, by('name', 'DESC'))).toEqual([1, 2, 3])
  })

  it('compares numbers by value, and false before true', () => {
    const rows = [
      { id: 1, integer: 100, flag: true },
      { id: 2, integer: 9, flag: false },
      { id: 3, integer: -1, flag: true },
    ]
    expect(ids(rows, by('integer'))).toEqual([3, 2, 1])
    expect(ids(rows, by('flag'))).toEqual([2, 1, 3])
  })

  it('compares times by the point in time, whatever their UTC offset; those that were never set stand last', () => {
    const moments = [
      '2026-01-31T09:00:00Z',
      '0001-01-01T00:00:00Z',
      '2026-01-31T09:30:00+01:00',
      '',
      '2026-01-30T23:00:00-08:00',
    ]
    const rows = moments.map((moment, index) => ({ id: index + 1, moment }))
    expect(ids(rows, by('moment'))).toEqual([5, 3, 1, 2, 4])
    expect(ids(rows, by('moment', 'DESC'))).toEqual([1, 3, 5, 2, 4])
  })

  it('reaches into a dotted source', () => {
    const rows = [{ id: 1, host: { version: '1.10.0' } }, { id: 2, host: { version: '1.9.0' } }, { id: 3 }]
    expect(ids(rows, by('host.version'))).toEqual([2, 1, 3])
  })

  it('leaves the collection as it was', () => {
    const rows = named('b', 'a')
    queryRows(rows, by('name'), { fields, kinds })
    expect(rows.map(({ id }) => id)).toEqual([1, 2])
  })
})

describe('A cached order', () => {
  const rows = named('bee', 'ant', 'asp')
  const asked = vi.fn((row: Row) => row.name)
  const found = (query: RowQuery, sortedBy: readonly unknown[], from: readonly Row[] = rows) => {
    asked.mockClear()
    const { data } = queryRows(from, { ...by('name'), ...query }, { fields, kinds, sortKey: asked, sortedBy })
    return [data.map(({ id }) => id), asked.mock.calls.length]
  }

  it('is reused when a filter is applied to the same rows', () => {
    expect(found({}, ['name'])).toEqual([[2, 3, 1], 3])
    expect(found({ filter: { name: 'a' } }, ['name'])).toEqual([[2, 3], 0])
    expect(found({}, ['name'])).toEqual([[2, 3, 1], 0])
  })

  it('is not reused when its dependencies or the rows have changed', () => {
    found({}, ['name'])
    expect(found({}, ['name', 'a later moment'])).toEqual([[2, 3, 1], 3])
    expect(found({}, ['name'], [...rows])).toEqual([[2, 3, 1], 3])
  })

  it.each([
    ['names', ['b', null, 'a', 'B', undefined, 'a', '', 'b2', 'b10']],
    ['numbers', [3, undefined, 1, 3, null, 2, 1]],
    ['nothing but equal ones', ['same', 'same', 'same']],
    ['nothing but missing ones', [null, '', undefined]],
  ])('gives the same rows when it is turned round as sorting them anew: %s', (_, names) => {
    const query = (order: 'ASC' | 'DESC', from: readonly Row[]) =>
      queryRows(from, by('name', order), { fields, kinds, sortedBy: ['name'] }).data.map(({ id }) => id)
    const shuffled = named(...names).sort((a, b) => (Number(a.id) % 3) - (Number(b.id) % 3))
    for (const order of ['ASC', 'DESC', 'ASC', 'ASC'] as const) {
      expect(query(order, shuffled)).toEqual(query(order, [...shuffled]))
    }
  })

  it('of filtered rows is not used for all rows', () => {
    const few = named('bee', 'ant', 'asp')
    expect(found({ filter: { name: 'a' } }, ['name'], few)).toEqual([[2, 3], 2])
    expect(found({}, ['name'], few)).toEqual([[2, 3, 1], 3])
  })

  it('cannot be changed by a caller that changes its result', () => {
    queryRows(rows, by('name'), { fields, kinds, sortedBy: ['name'] }).data.reverse()
    expect(found({}, ['name'])[0]).toEqual([2, 3, 1])
  })
})

describe('A page', () => {
  const rows = named('a', 'b', 'c', 'd', 'e')

  it('is a slice of the sorted rows, with the number of all that match', () => {
    const query = { ...by('id', 'DESC'), pagination: { page: 2, perPage: 2 } }
    expect(queryRows(rows, query, { fields, kinds })).toEqual({ data: [rows[2], rows[1]], total: 5 })
  })

  it('after the last one is empty, with the same total', () => {
    expect(queryRows(rows, { pagination: { page: 9, perPage: 2 } }, { fields, kinds })).toEqual({
      data: [],
      total: 5,
    })
  })
})

describe('A filter', () => {
  const rows: Row[] = [
    { id: 1, name: 'Desk', flag: true, choice: 1, ref: 10, refs: [1, 2], list: ['old'], id_set: { 4: true } },
    { id: 2, name: 'Under the desk', flag: false, ref: 1, refs: null, id_set: { 4: false } },
  ]

  it.each<[string, Record<string, unknown>, number[]]>([
    ['text that is contained, in any case', { name: 'DESK' }, [1, 2]],
    ['text that is not contained', { name: 'hall' }, []],
    ['nothing, for an empty filter', { name: '', flag: null, ref: undefined }, [1, 2]],
    ['yes', { flag: true }, [1]],
    ['no, as the address writes it', { flag: 'false' }, [2]],
    ['a code; absent is zero', { choice: 0 }, [2]],
    ['one reference, not a part of its number', { ref: '1' }, [2]],
    ['one among references', { refs: 2 }, [1]],
    ['one in a set, where it is on', { id_set: '4' }, [1]],
    ['an entry of a list', { list: 'OL' }, [1]],
    ['all of several', { name: 'desk', flag: false }, [2]],
  ])('finds %s', (_, filter, found) => {
    expect(ids(rows, { filter })).toEqual(found)
  })
})

describe('A filter by time', () => {
  const moments = [
    '2026-01-31T09:00:00Z',
    '2026-01-31T09:00:00.5+00:00',
    '2026-01-31T11:00:00+01:00',
    '0001-01-01T00:00:00Z',
  ]
  const rows = moments.map((moment, index) => ({ id: index + 1, moment }))

  it.each<[string, string, number[]]>([
    ['between two ends, both of them in it', '2026-01-31T09:00:00Z/2026-01-31T10:00:00Z', [1, 2, 3]],
    ['within the second that both ends name', '2026-01-31T09:00:00Z/2026-01-31T09:00:00Z', [1, 2]],
    ['from a point in time', '2026-01-31T09:00:01Z/', [3]],
    ['up to a point in time', '/2026-01-31T09:59:59Z', [1, 2]],
    ['between ends in the wrong order', '2026-01-31T10:00:00Z/2026-01-31T09:00:00Z', []],
  ])('finds what lies %s', (_, moment, found) => {
    expect(ids(rows, { filter: { moment } })).toEqual(found)
  })
})

describe('Searching', () => {
  const rows: Row[] = [
    { id: 1, name: 'Desk', ref: 7, secret: 'geheim', multiline: 'left of the door' },
    { id: 2, name: 'Hall', ref: 8 },
  ]
  const related = () => [
    { id: 7, name: 'Study' },
    { id: 8, name: 'Corridor' },
  ]
  const search = (q: string) => {
    const searchText = searchTextOf(rows, {
      entity: 'room',
      fields,
      kinds,
      related,
      textsFrom: [],
      shown: new Set<string>(),
      texts: [(row) => `socket ${row.id}`],
      language: { locale: 'en', translate: (key) => key },
    })
    return queryRows(rows, { filter: { q } }, { fields, kinds, searchText }).data.map(({ id }) => id)
  }

  it.each<[string, string, number[]]>([
    ['own texts', 'door', [1]],
    ['names of what a row refers to', 'corr', [2]],
    ['what a column adds', 'socket 2', [2]],
    ['the number of a row', '#1', [1]],
    ['all words, in any order and case', 'STUDY desk', [1]],
    ['no secret', 'geheim', []],
  ])('finds by %s', (_, q, found) => {
    expect(search(q)).toEqual(found)
  })
})
