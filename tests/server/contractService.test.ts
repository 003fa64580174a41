import { beforeAll, describe, expect, it } from 'vitest'
import { type DataApp, dataApp, member } from '../support/dataApp.ts'
import { readRecording, replay, timeless } from '../support/recording.ts'
import { createTestHost } from '../support/testHost.ts'

async function withServerAndGroup(): Promise<DataApp> {
  const data = await dataApp()
  const host = createTestHost()
  data.machines.add(host)
  host.tell()
  await data.call('POST', 'notification-group', { name: 'on call' })
  return data
}

const records = /^\/api\/v1\/(service\/list|service|service\/[\w-]+|batch-delete\/service)$/

/** What is told about availability, `GET /service` and below, is not part of keeping services. */
const exchanges = readRecording('service').filter(
  ({ request: { method, path } }) => records.test(path) && (method !== 'GET' || path.endsWith('/list')),
)

describe('every exchange about services that was recorded with a real server goes the same way here', () => {
  let data: DataApp
  beforeAll(async () => {
    data = await withServerAndGroup()
  })

  it.each(exchanges.map((exchange) => [exchange.name, exchange] as const))('%s', async (_, one) => {
    const { status, body } = await replay(data, one)
    expect(status).toBe(one.response.status)
    expect(timeless(body)).toEqual(timeless(one.response.body))
  })
})

describe('services', () => {
  const site = { name: 'site', type: 1, target: 'https://example.com' }

  it('are refused with a notifier group that is gone', async () => {
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

  it("let a member name neither somebody else's server nor group nor task", async () => {
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
