import { describe, expect, it, vi } from 'vitest'
import { type ListMeta, planQuery } from '../../../src/records/queryPlan.ts'
import { kindValues } from '../../../src/resources/engine/kinds/values.ts'
import { server } from '../../../src/schemas/server.ts'

const columns: ListMeta['columns'] = {
  ip: { sortValue: (row) => row.ip },
  cpu: { sortValue: (row, _related, snapshot) => (snapshot as Map<unknown, number>).get(row.id) },
}
const matches: ListMeta['matches'] = {
  city: (row, wanted) => row.city === wanted,
  status: (row, wanted, snapshot) => (snapshot as Map<unknown, number>).has(row.id) === (wanted === 'online'),
}

async function read(query: Parameters<typeof planQuery>[2]) {
  const snapshot = vi.fn(async () => new Map([[1, 42]]))
  const plan = await planQuery(server, [], query, { columns, matches, snapshot }, async () => () => [], kindValues)
  return { plan, asked: snapshot.mock.calls.length }
}

describe('a list that could look at live figures', () => {
  it('waits for them where a column sorts by them', async () => {
    const { plan, asked } = await read({ sort: { field: 'cpu', order: 'ASC' } })
    expect([plan.sortKey?.({ id: 1 }), asked]).toEqual([42, 1])
  })

  it('waits for them where a filter asks for them', async () => {
    const { plan, asked } = await read({ filter: { status: 'online' } })
    expect([plan.matches?.status?.({ id: 1 }, 'online'), asked]).toEqual([true, 1])
  })

  it('does not wait for them where records are enough', async () => {
    expect((await read({ sort: { field: 'ip', order: 'ASC' } })).asked).toBe(0)
    expect((await read({ sort: { field: 'name', order: 'ASC' }, filter: { city: 'Rome' } })).asked).toBe(0)
  })
})

describe('What an order rests on', () => {
  const moment = new Map([[1, 42]])
  const groups = [{ id: 1, name: 'Rome' }]
  const withGroups: ListMeta['columns'] = {
    ...columns,
    groups: { sortValue: (_row, related) => related('server-group').length, related: ['server-group'] },
  }
  const restsOn = async (field: string, { order = 'ASC', at = moment, of = groups } = {}) => {
    const meta = { columns: withGroups, snapshot: async () => at }
    return (await planQuery(server, [], { sort: { field, order } }, meta, async () => () => of, kindValues)).sortedBy
  }

  it.each(['name', 'cpu', 'groups', 'ddns_profiles'])(
    'is the same from one question to the next: %s',
    async (field) => {
      expect(await restsOn(field)).toEqual(await restsOn(field))
    },
  )

  it('is another column or direction', async () => {
    expect(await restsOn('name')).not.toEqual(await restsOn('ip'))
    expect(await restsOn('name')).not.toEqual(await restsOn('name', { order: 'DESC' }))
  })

  it('is the moment, where a column sorts by live figures, and nowhere else', async () => {
    const at = new Map([[1, 7]])
    expect(await restsOn('cpu')).not.toEqual(await restsOn('cpu', { at }))
    expect(await restsOn('name')).toEqual(await restsOn('name', { at }))
  })

  it.each(['groups', 'ddns_profiles'])('is what other records are called, where names are shown: %s', async (field) => {
    const of = [{ id: 1, name: 'Milan' }]
    expect(await restsOn(field)).not.toEqual(await restsOn(field, { of }))
    expect(await restsOn('name')).toEqual(await restsOn('name', { of }))
  })
})
