import { beforeAll, describe, expect, it } from 'vitest'
import { type DataApp, dataApp, withServer } from '../../support/console/dataApp.ts'
import { expectAsRecorded, named, readRecording } from '../../support/recorded/recording.ts'
import { createTestHost } from '../../support/server/testHost.ts'

describe('exchanges about server groups recorded with a real server are answered the same', () => {
  let data: DataApp
  beforeAll(async () => {
    data = await withServer()
    // The recording begins on a server that had a group before: its first new id is 2.
    await data.call('POST', 'server-group', { name: 'earlier' })
    await data.call('POST', 'batch-delete/server-group', [1])
  })

  it.each(named(readRecording('server-group')))('%s', async (_, one) => {
    await expectAsRecorded(data, one)
  })
})

describe('server groups', () => {
  it('accept members in any order and with repetitions', async () => {
    const { call, machines } = await dataApp()
    for (const uuid of ['a', 'b', 'c']) {
      const host = createTestHost({ uuid })
      machines.add(host)
      host.report()
    }
    expect(await call('POST', 'server-group', { name: 'dup', servers: [1, 3, 1] })).toMatchObject({ body: { data: 1 } })
    const { body } = await call('GET', 'server-group')
    expect(body).toMatchObject({ data: [{ group: { name: 'dup' }, servers: [1, 3] }] })
  })

  it('lose a server that is deleted', async () => {
    const { call } = await withServer()
    await call('POST', 'server-group', { name: 'one', servers: [1] })
    await call('POST', 'batch-delete/server', [1])
    expect((await call('GET', 'server-group')).body).toMatchObject({ data: [{ servers: null }] })
  })

  it('show the time of the last change', async () => {
    const { call } = await dataApp()
    await call('POST', 'server-group', { name: 'one' })
    const [before] = groupsOf(await call('GET', 'server-group'))
    await call('PATCH', 'server-group/1', { name: 'two' })
    const [after] = groupsOf(await call('GET', 'server-group'))
    expect(before?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z$/)
    expect(before?.updated_at).toBe(before?.created_at)
    expect(after?.created_at).toBe(before?.created_at)
    expect((after?.updated_at ?? '') > (before?.updated_at ?? '')).toBe(true)
  })
})

function groupsOf({ body }: { body: unknown }) {
  const { data } = body as { data: { group: { created_at: string; updated_at: string } }[] }
  return data.map(({ group }) => group)
}
