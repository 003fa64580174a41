import { describe, expect, it, vi } from 'vitest'
import { kindValues } from '../../../src/engine/kinds/values.ts'
import { type ListMeta, planQuery } from '../../../src/records/queryPlan.ts'
import { server } from '../../../src/schemas/server.ts'

const columns: ListMeta['columns'] = {
  ip: { sort: (row) => row.ip },
  cpu: { sort: (row, { live }) => (live as Map<unknown, number>).get(row.id), needs: ['live'] },
}
const filters: ListMeta['filters'] = {
  city: { matches: (row, value) => row.city === value },
  status: {
    matches: (row, value, { live }) => (live as Map<unknown, number>).has(row.id) === (value === 'online'),
    needs: ['live'],
    words: { online: 'Online', offline: 'Offline' },
  },
}

async function read(query: Parameters<typeof planQuery>[2]) {
  const snapshot = vi.fn(async () => new Map([[1, 42]]))
  const plan = await planQuery(server, [], query, { columns, filters, snapshot }, async () => () => [], kindValues)
  return { plan, snapshots: snapshot.mock.calls.length }
}

describe('The snapshot of live metrics', () => {
  it('is taken when a column sorts by it', async () => {
    const { plan, snapshots } = await read({ sort: { field: 'cpu', order: 'ASC' } })
    expect([plan.sortKey?.({ id: 1 }), snapshots]).toEqual([42, 1])
  })

  it('is taken when a filter needs it', async () => {
    const { plan, snapshots } = await read({ filter: { status: 'online' } })
    expect([plan.matches?.status?.({ id: 1 }, 'online'), snapshots]).toEqual([true, 1])
  })

  it('is taken when the search names a state, from the second letter of its word on', async () => {
    const { plan, snapshots } = await read({ filter: { q: 'Onl' } })
    expect([plan.hasState?.({ id: 1 }, 'onl'), plan.hasState?.({ id: 2 }, 'onl'), snapshots]).toEqual([true, false, 1])
    expect((await read({ filter: { q: 'o' } })).snapshots).toBe(0)
    expect((await read({ filter: { q: 'line' } })).snapshots).toBe(0)
  })

  it('is not taken when records are enough', async () => {
    expect((await read({ sort: { field: 'ip', order: 'ASC' } })).snapshots).toBe(0)
    expect((await read({ sort: { field: 'name', order: 'ASC' }, filter: { city: 'Rome' } })).snapshots).toBe(0)
  })
})

describe('What an order depends on', () => {
  const moment = new Map([[1, 42]])
  const groups = [{ id: 1, name: 'Rome' }]
  const withGroups: ListMeta['columns'] = {
    ...columns,
    groups: { sort: (_row, { related }) => related('server-group').length, needs: ['server-group'] },
  }
  const dependenciesOf = async (field: string, { order = 'ASC', at = moment, of = groups } = {}) => {
    const meta = { columns: withGroups, snapshot: async () => at }
    return (await planQuery(server, [], { sort: { field, order } }, meta, async () => () => of, kindValues)).sortedBy
  }

  it.each(['name', 'cpu', 'groups', 'ddns_profiles'])(
    'is the same for two queries by the same column: %s',
    async (field) => {
      expect(await dependenciesOf(field)).toEqual(await dependenciesOf(field))
    },
  )

  it('changes with the column, and not with the direction', async () => {
    expect(await dependenciesOf('name')).not.toEqual(await dependenciesOf('ip'))
    expect(await dependenciesOf('name')).toEqual(await dependenciesOf('name', { order: 'DESC' }))
  })

  it('contains the snapshot only when a column sorts by live metrics', async () => {
    const at = new Map([[1, 7]])
    expect(await dependenciesOf('cpu')).not.toEqual(await dependenciesOf('cpu', { at }))
    expect(await dependenciesOf('name')).toEqual(await dependenciesOf('name', { at }))
  })

  it.each(['groups', 'ddns_profiles'])(
    'contains the names of other records when the column shows them: %s',
    async (field) => {
      const of = [{ id: 1, name: 'Milan' }]
      expect(await dependenciesOf(field)).not.toEqual(await dependenciesOf(field, { of }))
      expect(await dependenciesOf('name')).toEqual(await dependenciesOf('name', { of }))
    },
  )
})
