import { beforeAll, describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { timestamp } from '../../../server/wire/apiCall.ts'
import { server } from '../../../src/schemas/server.ts'
import { type DataApp, dataApp, member, withServer } from '../../support/console/dataApp.ts'
import { type Exchange, named, readRecording, replay, timeless } from '../../support/recorded/recording.ts'
import { createTestHost, type TestHost } from '../../support/server/testHost.ts'

interface Row {
  host: object
  state: object
  geoip: { ip: object }
}

const restarted = 'list after a server restart, agents not connected yet'
const recorded = readRecording('server')
/** Recorded with a second machine or owner, or during a deletion: other tests cover them. */
const isCoveredElsewhere = ({ name }: Exchange) =>
  /^(batch-move|list with|batch-delete own online|list right after|list 14 s after|list \(live\))/.test(name)
/** Orders to machines are replayed in `tests/server/machines/orders.test.ts`. */
const isOrder = ({ request }: Exchange) => /force-update|server\/config/.test(request.path)
const rowsOf = ({ response }: Exchange) => (response.body as { data?: Row[] })?.data

describe('exchanges about servers recorded with a real server are answered the same', () => {
  let data: DataApp
  let host: TestHost
  beforeAll(async () => {
    data = await dataApp()
    host = createTestHost({ uuid: '7c1c0d3e-2222-4222-8333-944445555677' })
    data.machines.add(host)
    host.report()
  })

  const single = recorded.filter(
    (exchange) => exchange.name !== restarted && !isOrder(exchange) && !isCoveredElsewhere(exchange),
  )
  it.each(named(single))('%s', async (name, one) => {
    // Between the recorded exchanges the machine kept reporting, and it was renamed.
    if (name.startsWith('list ?id')) await data.call('PATCH', 'server/1', { name: 'contract-host', display_index: 1 })
    const row = rowsOf(one)?.[0]
    if (row) host.report({ ...row, ip: row.geoip.ip })
    const { status, body } = await replay(data, one)
    expect(status).toBe(one.response.status)
    expect(timeless(body)).toEqual(timeless(one.response.body ?? one.response.bodyText))
  })
})

it('a restarted server lists its servers as offline, without metrics, with their owners', async () => {
  const data = await dataApp()
  const servers = entityTable(data.store, server)
  const written = { created_at: timestamp(), updated_at: timestamp() }
  const uuid = (group: string) => `7c1c0d3e-${group}-4222-8333-944445555677`
  servers.insert({ ...written, uuid: uuid('2222'), name: 'contract-host', display_index: 1 })
  servers.insert({ ...written, name: 'gone' })
  servers.insert({ ...written, uuid: uuid('3333'), name: 'shining-sailfish', user_id: member.id })
  servers.remove([2])
  const exchange = recorded.find(({ name }) => name === restarted) as Exchange
  const { body } = await replay(data, exchange)
  expect(timeless(body)).toEqual(timeless(exchange.response.body))
})

describe('servers', () => {
  it('are listed by display_index, then by id', async () => {
    const { call, machines } = await dataApp()
    for (const uuid of ['a', 'b', 'c']) {
      const host = createTestHost({ uuid, name: uuid })
      machines.add(host)
      host.report()
    }
    await call('PATCH', 'server/3', { name: 'c', display_index: 5 })
    const { body } = await call('GET', 'server')
    expect((body as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual(['c', 'a', 'b'])
  })

  it('ignore unknown keys of a request', async () => {
    const { call } = await withServer()
    expect(await call('PATCH', 'server/1', { name: 'x', uuid: 'stolen', user_id: 2, owner: { id: 2 } })).toEqual({
      status: 200,
      body: { success: true },
    })
    expect((await call('GET', 'server')).body).toMatchObject({ data: [{ uuid: 'machine-1', owner: { id: 0 } }] })
  })

  it('cannot be created by a request', async () => {
    const { call } = await dataApp()
    expect((await call('POST', 'server', { name: 'x' })).status).toBe(404)
  })

  it('without an owner are hidden from members', async () => {
    const { call } = await withServer()
    expect((await call('GET', 'server', undefined, member)).body).toEqual({ success: true })
  })
})
