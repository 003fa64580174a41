import { describe, expect, it } from 'vitest'
import { readListQuery, writeListQuery } from '../../../src/engine/list/state/listQuery.ts'

const defaults = { sort: { field: 'id', order: 'ASC' }, perPage: 50 } as const
const unset = { filter: {}, sort: defaults.sort, page: 1, perPage: 50 }

describe('Reading a list query from the address', () => {
  it.each([
    ['', {}],
    ['?pageSize=20', { perPage: 20 }],
    ['?pageSize=1', { perPage: 1 }],
    ['?pageSize=100', { perPage: 100 }],
    ['?pageSize=101', { perPage: 10 }],
    ['?pageSize=0', { perPage: 10 }],
    ['?pageSize=-5', { perPage: 10 }],
    ['?pageSize=2.5', { perPage: 10 }],
    ['?pageSize=ten', { perPage: 10 }],
    ['?pageSize=', { perPage: 10 }],
    ['?page=3&sort=name', { page: 3, sort: { field: 'name', order: 'ASC' } }],
    ['?sort=name&order=DESC', { sort: { field: 'name', order: 'DESC' } }],
    ['?sort=name&order=up', { sort: { field: 'name', order: 'ASC' } }],
    ['?order=DESC', {}],
    ['?page=0', {}],
    ['?page=two', {}],
    ['?page=1e9', {}],
    ['?perPage=500', {}],
    ['?filter=%7B%22q%22%3A%22a%22%7D', { filter: { q: 'a' } }],
    ['?filter=%7B', {}],
    ['?filter=5', {}],
    ['?filter=null', {}],
    ['?filter=%5B1%5D', {}],
  ])('"%s" sets %o and leaves the rest at its default', (search, query) => {
    expect(readListQuery(search, defaults)).toEqual({ ...unset, ...query })
  })
})

describe('Writing a list query into the address', () => {
  it.each([
    ['?page=2', { perPage: 20 }, '?page=2&pageSize=20'],
    ['?filter=%7B%22name%22%3A%22b%22%7D', { filter: {}, page: 1 }, '?page=1'],
    [
      '?pageSize=20',
      { filter: { name: 'a', enable: undefined, url: '' } },
      '?pageSize=20&filter=%7B%22name%22%3A%22a%22%7D',
    ],
    ['', { sort: { field: 'name', order: 'DESC' } }, '?sort=name&order=DESC'],
    ['?theirs=1', { page: 2 }, '?theirs=1&page=2'],
    ['?filter=%7B%22q%22%3A%22b%22%7D', { filter: { q: undefined } }, ''],
    ['', {}, ''],
  ] as const)('"%s" with %o becomes "%s"', (search, changes, written) => {
    expect(writeListQuery(search, changes)).toBe(written)
  })

  it('loses nothing that can be read again', () => {
    const query = { filter: { q: 'a & b' }, sort: { field: 'name', order: 'DESC' }, page: 4, perPage: 20 } as const
    expect(readListQuery(writeListQuery('', query), defaults)).toEqual(query)
  })
})
