import { beforeAll, describe, expect, it } from 'vitest'
import { admin, type DataApp, dataApp, member, withServer } from '../../support/console/dataApp.ts'
import { expectAsRecorded, named, readRecording } from '../../support/recorded/recording.ts'

describe('exchanges of a member recorded with a real server are answered the same', () => {
  let data: DataApp
  beforeAll(async () => {
    data = await withServer()
    for (let id = 1; id < 7; id++) await data.call('POST', 'server-group', { name: `gone ${id}` })
    await data.call('POST', 'server-group', { name: 'adming', servers: [1] })
    await data.call('POST', 'batch-delete/server-group', [1, 2, 3, 4, 5, 6])
  })

  const exchanges = readRecording('roles-member', [
    'GET /server',
    'GET /server-group',
    'GET /server/config/1',
    'PATCH foreign server',
    'delete foreign server',
    'force-update foreign server',
    'server config foreign',
    'PATCH foreign server-group',
    'delete foreign server-group',
    'create server-group with foreign server',
    'create own server-group',
    'list server-group after',
  ])

  it.each(named(exchanges))('%s', async (_, one) => {
    await expectAsRecorded(data, one, member)
  })
})

describe('a member', () => {
  it('deletes nothing when one id of many is not theirs', async () => {
    const { call } = await dataApp()
    await call('POST', 'server-group', { name: 'mine' }, member)
    await call('POST', 'server-group', { name: 'theirs' }, admin)
    const { body } = await call('POST', 'batch-delete/server-group', [1, 2, 99], member)
    expect(body).toEqual({ error: 'permission denied' })
    expect((await call('GET', 'server-group')).body).toMatchObject({ data: [{}, {}] })
  })

  it('changes and deletes their own groups', async () => {
    const { call } = await dataApp()
    await call('POST', 'server-group', { name: 'mine' }, member)
    expect((await call('PATCH', 'server-group/1', { name: 'still mine' }, member)).body).toEqual({ success: true })
    expect((await call('POST', 'batch-delete/server-group', [1], member)).body).toEqual({ success: true })
    expect((await call('GET', 'server-group', undefined, member)).body).toEqual({ success: true })
  })

  it("stays the owner when an admin changes the member's group", async () => {
    const { call } = await dataApp()
    await call('POST', 'server-group', { name: 'mine' }, member)
    await call('PATCH', 'server-group/1', { name: 'renamed' }, admin)
    expect((await call('GET', 'server-group', undefined, member)).body).toMatchObject({
      data: [{ group: { name: 'renamed' } }],
    })
  })
})

describe('a visitor', () => {
  it('sees the groups that have a public server', async () => {
    const { call } = await withServer()
    await call('POST', 'server-group', { name: 'public', servers: [1] })
    await call('POST', 'server-group', { name: 'empty' })
    expect((await call('GET', 'server-group', undefined, null)).body).toMatchObject({
      data: [{ group: { name: 'public' }, servers: [1] }],
    })
    await call('PATCH', 'server/1', { name: 'x', hide_for_guest: true })
    expect((await call('GET', 'server-group', undefined, null)).body).toEqual({ success: true })
  })

  it('sees no server and changes nothing', async () => {
    const { call } = await withServer()
    const refused = { error: 'ApiErrorUnauthorized' }
    expect((await call('GET', 'server', undefined, null)).body).toEqual(refused)
    expect((await call('POST', 'server-group', { name: 'x' }, null)).body).toEqual(refused)
    expect((await call('POST', 'batch-delete/server', [1], null)).body).toEqual(refused)
  })
})
