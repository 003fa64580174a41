import { describe, expect, it } from 'vitest'
import { readSearch, writeSearch } from '../../../src/resources/engine/list/state/listRouter.tsx'

describe('The page size in the address', () => {
  it.each([
    ['', ''],
    ['?pageSize=20', '?perPage=20'],
    ['?pageSize=1', '?perPage=1'],
    ['?pageSize=100', '?perPage=100'],
    ['?pageSize=101', '?perPage=10'],
    ['?pageSize=0', '?perPage=10'],
    ['?pageSize=-5', '?perPage=10'],
    ['?pageSize=2.5', '?perPage=10'],
    ['?pageSize=ten', '?perPage=10'],
    ['?pageSize=', '?perPage=10'],
    ['?page=3&sort=name', '?page=3&sort=name'],
    ['?page=0', '?page=1'],
    ['?page=two', '?page=1'],
    ['?page=1e9', '?page=1'],
    ['?perPage=500', ''],
  ])('"%s" is read as "%s"', (address, read) => {
    expect(readSearch(address)).toBe(read)
  })

  it.each([
    ['?perPage=20&page=2', '?page=2&pageSize=20'],
    ['?filter=%7B%7D&displayedFilters=%7B%7D&page=1', '?page=1'],
    ['?filter=%7B%22name%22%3A%22a%22%7D', '?filter=%7B%22name%22%3A%22a%22%7D'],
    ['', ''],
  ])('"%s" is written as "%s"', (search, written) => {
    expect(writeSearch(search)).toBe(written)
  })

  it('comes back as it went', () => {
    expect(readSearch(writeSearch('?page=4&perPage=50&sort=id&order=DESC'))).toBe(
      '?page=4&sort=id&order=DESC&perPage=50',
    )
  })
})
