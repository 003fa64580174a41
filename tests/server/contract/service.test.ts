import { beforeAll, describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { server } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import { type DataApp, dataApp, member, withServerAndGroup } from '../../support/console/dataApp.ts'
import { type Exchange, expectAsRecorded, named, readRecording, replay } from '../../support/recorded/recording.ts'
import { noState } from '../../support/server/testHost.ts'

const recorded = readRecording('service')
/** Later exchanges were recorded with a server that had a history; see below. */
const later = recorded.findIndex(({ name }) => name.startsWith('tsdb'))
const exchanges = recorded.slice(0, later)

describe('exchanges about services recorded with a real server are answered the same', () => {
  let data: DataApp
  beforeAll(async () => {
    data = await withServerAndGroup()
  })

  it.each(named(exchanges))('%s', async (_, one) => {
    await expectAsRecorded(data, one)
  })
})

describe('exchanges recorded with a real server that had checked a service for a while are answered the same', () => {
  const moment = Date.parse('2026-11-21T00:38:10Z')
  const withHistory = recorded
    .slice(later)
    .filter(({ request }) => !request.path.includes('/metrics') || !request.path.includes('?'))
  const isAfter = ({ name }: Exchange) => name.startsWith('tsdb') && name.endsWith('with data')
  const hasCounted = ({ response }: Exchange) => JSON.stringify(response.body).includes('"total_up":4')

  async function withPast(): Promise<DataApp> {
    const data = await dataApp({ now: () => moment + 20_000 })
    const servers = entityTable(data.store, server)
    for (const name of ['contract-host', 'gone', 'shining-sailfish']) servers.insert({ name })
    servers.remove([2])
    const services = entityTable(data.store, service)
    for (let id = 1; id <= 7; id++) services.insert({ name: 'adminsv', type: 3, target: '127.0.0.1:1', user_id: 1 })
    services.remove([1, 2, 3, 4, 5, 6])
    return data
  }

  it.each(named(withHistory))('%s', async (_, one) => {
    const data = await withPast()
    const { samples } = data.services
    if (isAfter(one)) {
      samples.add(7, 1, moment, { outcome: 'up', delay: 0.269500002265 })
      samples.add(7, 3, moment, { outcome: 'up', delay: 0.1114999987185 })
    }
    if (hasCounted(one))
      for (let n = 0; n < 4; n++) samples.add(7, 1, moment, { outcome: 'up', delay: 0.19050000049173832 })
    await data.services.recorder.save()
    const { status, body } = await replay(data, one)
    expect(status).toBe(one.response.status)
    // The results of the last minutes are in memory, and empty after a start.
    const expected = JSON.parse(JSON.stringify(one.response.body).replace('"current_up":1', '"current_up":0'))
    expect(body).toEqual(expected)
  })

  it.each(['cpu', 'memory', 'uptime'])('the history of %s', async (metric) => {
    const one = recorded.find(({ name }) => name === `tsdb metrics ${metric}`) as Exchange
    const data = await withPast()
    const state = { ...noState, cpu: 95.5576287155, mem_used: 1774530560, uptime: 2489 }
    data.services.metrics.add(1, state, moment - 30_000)
    await data.services.recorder.save()
    expect((await replay(data, one)).body).toEqual(one.response.body)
  })
})

describe('services', () => {
  const site = { name: 'site', type: 1, target: 'https://example.com' }

  it('are refused with a notifier group that does not exist', async () => {
    const { call } = await withServerAndGroup()
    const { body } = await call('POST', 'service', { ...site, notification_group_id: 7 })
    expect(body).toEqual({ error: 'notification group id 7 does not exist' })
  })

  it('are hidden from guests by the newer key only, as newer servers have it', async () => {
    const { call } = await dataApp()
    await call('POST', 'service', { ...site, hide_for_guest: true, enable_show_in_service: true })
    const { body } = await call('GET', 'service/list')
    expect(body).toMatchObject({ data: [{ hide_for_guest: true }] })
    expect(body).not.toHaveProperty('data.0.enable_show_in_service')
  })

  it("cannot name somebody else's server, notifier group or task", async () => {
    const { call } = await withServerAndGroup()
    await call('POST', 'cron', { name: 'restart', task_type: 1 })
    const denied = { error: 'permission denied' }
    expect((await call('POST', 'service', { ...site, cover: 1, skip_servers: { 1: true } }, member)).body).toEqual(
      denied,
    )
    expect((await call('POST', 'service', { ...site, notification_group_id: 1 }, member)).body).toEqual(denied)
    expect((await call('POST', 'service', { ...site, recover_trigger_tasks: [1] }, member)).body).toEqual(denied)
    expect((await call('POST', 'service', site, member)).body).toMatchObject({ success: true })
  })
})
