import { describe, expect, it } from 'vitest'
import type { Person } from '../../../server/person.ts'
import { admin, type DataApp, member, withServer } from '../../support/console/dataApp.ts'

const share = (fields: object) => ({ name: 'support', users: [member.id], servers: [], server_groups: [], ...fields })

async function withUsers(): Promise<DataApp> {
  const data = await withServer()
  for (const { username, role } of [admin, member])
    await data.call('POST', 'user', { username, role, password: 'correct horse' })
  return data
}

async function sharedServer(): Promise<DataApp> {
  const data = await withUsers()
  await data.call('PATCH', 'server/1', {
    name: 'db-1',
    note: 'rack 4',
    hide_for_guest: true,
    depends_on: [77],
    depends_on_services: [78],
  })
  const created = await data.call('POST', 'wheelhouse/server-shares', share({ servers: [1] }))
  expect(created.body).toMatchObject({ success: true })
  return data
}

const rowsOf = async ({ call }: DataApp, path: string, person: Person = member) =>
  ((await call('GET', path, undefined, person)).body as { data?: Record<string, unknown>[] }).data ?? []

describe('a server that is shared with a member', () => {
  it('is in their list, read-only and without what only its owner needs', async () => {
    const data = await sharedServer()
    const [row] = await rowsOf(data, 'server')
    expect(row).toMatchObject({ id: 1, name: 'db-1', read_only: true })
    const ofOwner = ['note', 'uuid', 'ddns_profiles', 'enable_ddns', 'contract', 'depends_on', 'depends_on_services']
    for (const field of ofOwner) expect(row).not.toHaveProperty(field)
    const [own] = await rowsOf(data, 'server', admin)
    expect(own).toMatchObject({ name: 'db-1', note: 'rack 4', depends_on: [77], depends_on_services: [78] })
    expect(own).not.toHaveProperty('read_only')
  })

  it('shows them its metrics, although it is hidden from guests', async () => {
    const { call } = await sharedServer()
    const path = 'server/1/metrics?metric=cpu&period=7d'
    expect((await call('GET', path, undefined, member)).body).toMatchObject({ data: { server_name: 'db-1' } })
    expect((await call('GET', path, undefined, { ...member, id: 99 })).body).toEqual({ error: 'server not found' })
  })

  it('can be neither changed nor deleted nor used by them', async () => {
    const data = await sharedServer()
    const refusals = [
      await data.call('PATCH', 'server/1', { name: 'mine now' }, member),
      await data.call('POST', 'batch-delete/server', [1], member),
      await data.call('GET', 'server/config/1', undefined, member),
      await data.call('POST', 'server-group', { name: 'mine', servers: [1] }, member),
      await data.call(
        'POST',
        'nat',
        { name: 'mine', enabled: true, server_id: 1, host: 'h:80', domain: 'd.test' },
        member,
      ),
      await data.call(
        'POST',
        'cron',
        { name: 'x', task_type: 0, scheduler: '0 0 * * * *', command: 'id', servers: [1], cover: 0 },
        member,
      ),
    ]
    for (const { body } of refusals) expect(body).toEqual({ error: expect.stringContaining('permission denied') })
    expect(await rowsOf(data, 'server', admin)).toMatchObject([{ name: 'db-1' }])
  })

  it('is nobody else’s to see', async () => {
    const data = await sharedServer()
    expect(await rowsOf(data, 'server', { ...member, id: 99 })).toEqual([])
  })

  it('disappears when the share ends', async () => {
    const data = await sharedServer()
    await data.call('POST', 'batch-delete/wheelhouse/server-shares', [1])
    expect(await rowsOf(data, 'server')).toEqual([])
  })
})

describe('a shared group', () => {
  it('is shown with all of its servers, those that join later too', async () => {
    const data = await withUsers()
    await data.call('POST', 'server-group', { name: 'web', servers: [] })
    await data.call('POST', 'wheelhouse/server-shares', share({ server_groups: [1] }))
    expect(await rowsOf(data, 'server')).toEqual([])
    await data.call('PATCH', 'server-group/1', { name: 'web', servers: [1] })
    expect(await rowsOf(data, 'server')).toMatchObject([{ id: 1, read_only: true }])
    expect(await rowsOf(data, 'server-group')).toMatchObject([
      { group: { name: 'web', read_only: true }, servers: [1] },
    ])
    expect((await data.call('PATCH', 'server-group/1', { name: 'mine', servers: [] }, member)).body).toEqual({
      error: 'unauthorized',
    })
  })
})

describe('shares', () => {
  it('are for administrators only', async () => {
    const { call } = await sharedServer()
    expect((await call('GET', 'wheelhouse/server-shares', undefined, member)).body).toEqual({
      error: expect.stringMatching(/permission denied|unauthorized/i),
    })
    expect((await call('POST', 'wheelhouse/server-shares', share({ servers: [1] }), member)).body).toHaveProperty(
      'error',
    )
  })

  it.each(['users', 'servers', 'server_groups'])('name in %s only what exists', async (field) => {
    const { call } = await withUsers()
    const { body } = await call('POST', 'wheelhouse/server-shares', share({ [field]: [99] }))
    expect(body).toEqual({ error: expect.stringMatching(new RegExp(`^${field}: .+ id 99 does not exist$`)) })
  })

  it('forget servers, groups and members that are deleted', async () => {
    const data = await sharedServer()
    await data.call('POST', 'server-group', { name: 'web', servers: [1] })
    await data.call('PATCH', 'wheelhouse/server-shares/1', share({ servers: [1], server_groups: [1] }))
    await data.call('POST', 'batch-delete/server-group', [1])
    await data.call('POST', 'batch-delete/server', [1])
    await data.call('POST', 'batch-delete/user', [member.id])
    const left = await rowsOf(data, 'wheelhouse/server-shares', admin)
    expect(left).toMatchObject([{ users: [], servers: [], server_groups: [] }])
  })
})
