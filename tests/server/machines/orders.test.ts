import { beforeEach, describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { timestamp } from '../../../server/wire/apiCall.ts'
import { server } from '../../../src/schemas/server.ts'
import { type DataApp, dataApp, member } from '../../support/console/dataApp.ts'
import { type Exchange, named, readRecording, replay } from '../../support/recorded/recording.ts'
import { createTestHost, type TestHost } from '../../support/server/testHost.ts'

const recorded = readRecording('server').filter(({ request }) => /force-update|server\/config/.test(request.path))
const dataOf = ({ response }: Exchange) => (response.body as { data?: unknown }).data

let data: DataApp
let host: TestHost

beforeEach(async () => {
  data = await dataApp()
  host = createTestHost()
  data.machines.add(host)
  host.report()
  const at = timestamp()
  entityTable(data.store, server).insert({ name: 'offline', uuid: 'u', created_at: at, updated_at: at })
})

describe('orders to servers that were recorded with a real server go the same way here', () => {
  it.each(named(recorded))('%s', async (name, one) => {
    host.settings = typeof dataOf(one) === 'string' ? (dataOf(one) as string) : '{"client_secret":"<token>"}'
    if (name === 'config get after bad sets') {
      host.config = () => Promise.reject(new Error('another reload is in process'))
    }
    // It had dropped its connection to begin anew.
    if (name === 'config get after set') await data.machines.stop()
    const { status, body } = await replay(data, one)
    expect(status).toBe(one.response.status)
    // The secret of an agent is shown to nobody here.
    const expected = JSON.stringify(one.response.body).replace(
      '\\"client_secret\\":\\"<token>',
      '\\"client_secret\\":\\"…',
    )
    expect(body).toEqual(JSON.parse(expected))
  })
})

describe('settings that are sent', () => {
  it('reach the machine as they were written, and nobody else', async () => {
    const other = createTestHost({ uuid: 'machine-2' })
    data.machines.add(other)
    other.report()
    const config = '{"gpu":true,  "own": 1}'
    expect((await data.call('POST', 'server/config', { servers: [3, 3], config })).body).toEqual({
      success: true,
      data: { success: [3] },
    })
    expect(other.settings).toBe(config)
    expect(host.settings).toBe('{}')
  })

  it('are counted as failed when the machine does not take them', async () => {
    host.applyConfig = () => Promise.reject(new Error('gone'))
    expect((await data.call('POST', 'server/config', { servers: [1, 2], config: '{}' })).body).toEqual({
      success: true,
      data: { failure: [1], offline: [2], reasons: { 1: 'gone' } },
    })
  })

  it.each([
    ['another secret', '{"client_secret":"another"}', true],
    ['another secret in a name that agents read too', '{"Client_Secret":"another","gpu":true}', true],
    ['its own secret', '{"client_secret":"own"}', false],
    ['the secret as it is shown', '{"client_secret":"…"}', false],
    ['no value for it', '{"client_secret":null}', false],
  ])('reach no agent that they would give another secret: %s', async (_, config, isRefused) => {
    host.settings = '{"client_secret":"own"}'
    const reasons = { 1: 'the secret of an agent cannot be changed with its settings' }
    expect((await data.call('POST', 'server/config', { servers: [1], config })).body).toEqual({
      success: true,
      data: isRefused ? { failure: [1], reasons } : { success: [1] },
    })
  })

  it('name the machines that reconnect to apply them', async () => {
    host.applyConfig = async () => ({ reconnects: true })
    expect((await data.call('POST', 'server/config', { servers: [1], config: '{}' })).body).toEqual({
      success: true,
      data: { success: [1], reconnecting: [1] },
    })
  })

  it('are reported in the order in which the machines were named, whoever answers first', async () => {
    const other = createTestHost({ uuid: 'machine-2' })
    data.machines.add(other)
    other.report()
    host.applyConfig = () => new Promise((resolve) => setTimeout(() => resolve({ reconnects: true }), 20))
    expect((await data.call('POST', 'server/config', { servers: [1, 3], config: '{}' })).body).toMatchObject({
      data: { success: [1, 3] },
    })
  })

  it('are sent to no server when one of the servers is somebody else’s', async () => {
    entityTable(data.store, server).update(2, { user_id: member.id })
    expect((await data.call('POST', 'server/config', { servers: [2, 1], config: '{"x":1}' }, member)).body).toEqual({
      error: 'permission denied',
    })
    expect(host.settings).toBe('{}')
  })
})

describe('an update that is ordered', () => {
  it('reaches each machine once, and those of others not at all', async () => {
    await data.call('POST', 'force-update/server', [1, 1])
    expect(host.updates).toBe(1)
    await data.call('POST', 'force-update/server', [1], member)
    expect(host.updates).toBe(1)
  })
})
