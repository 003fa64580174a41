import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Store } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import type { Costs } from '../../../src/schemas/endpoints/contractEndpoints.ts'
import type { ServerTraffic } from '../../../src/schemas/endpoints/trafficEndpoints.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { createReceiver } from '../../support/fakes/receiver.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const gb = 1e9
/** Milliseconds since 1970. */
const boot = Date.parse('2026-01-01T00:00:00Z')
const start = Date.parse('2026-11-01T00:00:00Z')

interface Kept {
  store: Store
  receiver: Awaited<ReturnType<typeof createReceiver>>
}

/** A server with two machines, a notifier group, and a clock at the beginning of November. */
async function withContracts(kept?: Kept, at = start) {
  vi.stubEnv('TZ', 'UTC')
  onTestFinished(() => void vi.unstubAllEnvs())
  const receiver = kept?.receiver ?? (await createReceiver())
  const hosts = [createTestHost({ uuid: 'a', name: 'web-1' }), createTestHost({ uuid: 'b', name: 'web-2' })]
  const server = await testServer({
    store: kept?.store,
    settings: { host: '127.0.0.1', publicUrl: new URL('https://wheelhouse.example.org') },
    machines: (on) => {
      const machines = createMachines(on)
      for (const host of hosts) machines.add(host)
      return machines
    },
  })
  onTestFinished(async () => {
    await server.app.close()
    await receiver.close()
  })
  const { clock, app } = server
  clock.now = at
  /** By a session of its own: the clock goes on for months. */
  const call = async (method: string, path: string, body?: object, username = 'admin') => {
    const browser = await signedIn(server, username)
    return (await browser.call(method, path, { body })).body as { success?: true; data?: unknown; error?: string }
  }
  const get = async <T>(path: string, username?: string) => (await call('GET', path, undefined, username)).data as T
  /** @param received the counter of the machine, in GB @param speed bytes per second */
  const report = (index: number, received: number, time: string | number, speed = 1e9) => {
    clock.now = typeof time === 'number' ? time : Date.parse(time)
    const state = {
      net_in_transfer: received * gb,
      net_out_transfer: 0,
      net_in_speed: speed,
      net_out_speed: speed,
      uptime: (clock.now - boot) / 1000,
    }
    hosts[index]?.report({ state, at: new Date(clock.now) })
  }
  if (!kept) {
    for (const index of [0, 1]) report(index, 1, start)
    const notifier = await call('POST', 'notification', {
      name: 'pager',
      url: `${receiver.origin}/page`,
      request_method: 2,
      request_type: 1,
      skip_check: true,
      request_header: '',
      request_body: '{"text":"#NEZHA#"}',
      verify_tls: true,
    })
    await call('POST', 'notification-group', { name: 'money', notifications: [notifier.data] })
  }
  const messages = () => receiver.deliveries.map(({ body }) => (JSON.parse(body) as { text: string }).text)
  return {
    server,
    call,
    get,
    report,
    messages,
    kept: { store: server.store, receiver },
    contract: (id: number, contract: object) => call('PATCH', `server/${id}`, { name: `web-${id}`, contract }),
    set: (setting: object) => call('PATCH', 'wheelhouse/contract-setting', setting),
    /** Looks at contracts, and waits for what was sent. @param count of all messages so far */
    async told(count: number) {
      await app.contractNotices.check()
      await app.trafficReport.check()
      await vi.waitFor(() => expect(messages()).toHaveLength(count))
      return messages()
    },
    /** As at the end of the program. */
    async stop() {
      await app.machines.stop()
      await app.close()
    },
  }
}

const link = (id: number) => `\nhttps://wheelhouse.example.org/dashboard/server/${id}/overview`

describe('used traffic', () => {
  it('is told at 80, 90 and 100 %, each once, over restarts and corrections too', async () => {
    const first = await withContracts()
    await first.set({ notification_group_id: 1 })
    await first.contract(1, { quota_bytes: 100 * gb, quota_counts: 'in' })
    await first.contract(2, { quota_bytes: 1e15 })
    first.report(0, 80.9, '2026-11-28T00:00:00Z')
    expect(await first.told(0)).toEqual([])
    first.report(0, 81, '2026-11-28T01:00:00Z')
    const used = `[Traffic] web-1: 80% used up, 80 GB of 100 GB (2026-11-01 – 2026-11-30)${link(1)}`
    expect(await first.told(1)).toEqual([used])
    expect(await first.told(1)).toHaveLength(1)
    await first.call('POST', 'wheelhouse/traffic/1/correct', { used: 10 * gb })
    expect(await first.told(1)).toHaveLength(1)
    await first.call('POST', 'wheelhouse/traffic/1/correct', { used: null })
    await first.stop()
    const second = await withContracts(first.kept, Date.parse('2026-11-28T02:00:00Z'))
    expect(await second.told(1)).toHaveLength(1)
    second.report(0, 121.5, '2026-11-28T03:00:00Z')
    expect((await second.told(2)).at(-1)).toBe(
      `[Traffic] web-1: 120% used up, 120.5 GB of 100 GB (2026-11-01 – 2026-11-30)${link(1)}`,
    )
    // In the next period it is told again.
    second.report(0, 221.5, '2026-12-01T03:00:00Z')
    expect((await second.told(3)).at(-1)).toMatch(/^\[Traffic\] web-1: 100% used up, 100 GB of 100 GB \(2026-12-01/)
  })

  it('is told before by its forecast, once a day was counted', async () => {
    const { set, contract, report, told, call } = await withContracts()
    await set({ notification_group_id: 1 })
    await contract(1, { quota_bytes: 100 * gb, quota_counts: 'in' })
    report(0, 11, '2026-11-01T23:00:00Z')
    expect(await told(0)).toEqual([])
    report(0, 11, '2026-11-02T00:00:00Z')
    expect(await told(1)).toEqual([
      `[Traffic] web-1: 300 GB expected by the end of the period, 100 GB included; 10 GB so far (2026-11-01 – 2026-11-30)${link(1)}`,
    ])
    report(0, 12, '2026-11-03T00:00:00Z')
    expect(await told(1)).toHaveLength(1)
    // Of another quota everything may be told again.
    await call('PATCH', 'server/1', { name: 'web-1', contract: { quota_bytes: 11 * gb, quota_counts: 'in' } })
    expect((await told(2)).at(-1)).toMatch(/100% used up, 11 GB of 11 GB/)
  })

  it('is not told while the server is muted or in maintenance, and then what still holds', async () => {
    const { server, set, contract, report, told, call } = await withContracts()
    await set({ notification_group_id: 1 })
    await contract(1, { quota_bytes: 100 * gb })
    const muted = await call('POST', 'wheelhouse/mutes', {
      name: 'move',
      server_id: 1,
      ends_at: '2026-11-20T00:00:00Z',
    })
    expect(muted).toMatchObject({ success: true })
    await contract(2, { quota_bytes: 10 * gb })
    const window = { name: 'move', repeat: 0, starts_at: '2026-11-18T12:00', duration: 1440, time_zone: 'UTC' }
    expect(await call('POST', 'wheelhouse/maintenance-windows', { ...window, servers: [2] })).toMatchObject({
      success: true,
    })
    report(1, 20, '2026-11-19T00:00:00Z')
    report(0, 96, '2026-11-19T00:00:00Z')
    expect(await told(0)).toEqual([])
    server.clock.now = Date.parse('2026-11-20T00:00:01Z')
    server.app.silences.mutes.removeEnded()
    expect((await told(2)).join()).toMatch(/95% used up.*190% used up/s)
  })

  it('of a server that is deleted meanwhile is not told', async () => {
    const { server, set, contract, report, told } = await withContracts()
    await set({ notification_group_id: 1 })
    for (const id of [1, 2]) await contract(id, { quota_bytes: 8 * gb })
    for (const index of [0, 1]) report(index, 9.5, '2026-11-04T09:00:00Z')
    // Between the first server and the second one, others are served.
    const checking = server.app.contractNotices.check()
    entityTable(server.store, serverEntity).remove([1])
    server.app.contractNotices.forget([1])
    await checking
    expect(await told(1)).toEqual([expect.stringContaining('web-2')])
  })

  it('of many servers at once is one message', async () => {
    const { server, set, told } = await withContracts()
    for (let id = 3; id <= 40; id++) server.app.machines.register(`m${id}`, `m-${id}`, 1)
    const browser = await signedIn(server)
    const { data } = (await browser.get('/api/v1/server')).body as { data: { id: number; name: string }[] }
    for (const { id, name } of data) {
      const contract = { ends_at: '2026-11-05T00:00:00Z', provider: id === 1 ? '<b>#SERVER.NAME#</b>' : '' }
      await browser.call('PATCH', `server/${id}`, { body: { name, contract } })
    }
    await set({ notification_group_id: 1 })
    const [message = ''] = await told(1)
    const lines = message.split('\n')
    expect(lines).toHaveLength(12)
    expect(lines).toContain('[Contract] The one of web-1 (<b>#SERVER.NAME#</b>) ends on 2026-11-05, in 4 days')
    expect(lines.slice(-2)).toEqual([
      `and ${data.length - 10} more`,
      'https://wheelhouse.example.org/dashboard/server-group/costs',
    ])
  })
})

it('is told, and reported, once the notifier group has a notifier again', async () => {
  const { server, call, set, contract, report, told } = await withContracts()
  await set({ notification_group_id: 1, report: 'day', report_group_id: 1 })
  await contract(1, { quota_bytes: 10 * gb })
  await told(0)
  await call('PATCH', 'notification-group/1', { name: 'money', notifications: [] })
  report(0, 9.5, '2026-11-04T09:00:00Z')
  await told(0)
  await call('PATCH', 'notification-group/1', { name: 'money', notifications: [1] })
  server.clock.now += 1
  expect((await told(2)).join()).toMatch(/85% used up.*Traffic and costs, 2026-11-03/s)
})

describe('the end of a contract', () => {
  it('is told 30, 7 and 1 days before, unless it renews itself', async () => {
    const { server, set, contract, told } = await withContracts()
    await set({ notification_group_id: 1 })
    await contract(1, { ends_at: '2026-12-10T12:00:00Z', provider: 'Hetzner' })
    await contract(2, { ends_at: '2026-12-10T12:00:00Z', renews: true, cycle: 'year' })
    const at = (time: string) => {
      server.clock.now = Date.parse(time)
    }
    at('2026-11-10T11:00:00Z')
    expect(await told(0)).toEqual([])
    at('2026-11-10T13:00:00Z')
    const ends = (time: string) => `[Contract] The one of web-1 (Hetzner) ends on 2026-12-10, in ${time}${link(1)}`
    expect(await told(1)).toEqual([ends('30 days')])
    at('2026-12-05T12:00:00Z')
    expect((await told(2)).at(-1)).toBe(ends('5 days'))
    at('2026-12-09T13:00:00Z')
    expect((await told(3)).at(-1)).toBe(ends('1 day'))
    at('2026-12-20T00:00:00Z')
    expect(await told(3)).toHaveLength(3)
    await contract(1, { ends_at: '2027-01-10T12:00:00Z' })
    expect(await told(4)).toHaveLength(4)
  })
})

it('is trouble of its owner when all is used up, and when a contract ends or has ended in these days', async () => {
  const { server, contract, report, get } = await withContracts()
  await contract(1, { quota_bytes: 4 * gb, ends_at: '2026-11-09T00:00:00Z' })
  await contract(2, { ends_at: '2026-11-09T00:00:00Z', renews: true })
  const troubles = () => get('wheelhouse/contract-troubles')
  report(0, 4.9, '2026-11-01T12:00:00Z')
  expect(await troubles()).toBeUndefined()
  report(0, 6, '2026-11-02T12:00:00Z')
  report(1, 1, '2026-11-02T12:00:00Z')
  expect(await troubles()).toEqual([{ server_id: 1, percent: 125, ends_at: '2026-11-09T00:00:00Z' }])
  // The console keeps a place for both lines.
  expect(await get('profile')).toMatchObject({ troubles: 2 })
  expect(await get('wheelhouse/contract-troubles', 'member')).toBeUndefined()
  server.clock.now = Date.parse('2026-12-01T00:00:00Z')
  expect(await troubles()).toBeUndefined()
})

it('is an incident for an escalation plan while all is used up, once in a period when somebody resolves it', async () => {
  const { server, call, contract, report, get, set } = await withContracts()
  const { incidents } = server.app
  await call('POST', 'wheelhouse/escalations', { name: 'Night', steps: [{ after_min: 0, notification_group_id: 1 }] })
  await contract(1, { quota_bytes: 4 * gb })
  /** As every few minutes, but at once. */
  const look = async () => {
    await get('wheelhouse/contract-troubles')
    expect(await set({ escalation_id: 1 })).toMatchObject({ success: true })
    return incidents.all().map(({ title, state, parts }) => [title, state, parts[0]?.kind, parts[0]?.withdrawn])
  }
  report(0, 4.9, '2026-11-01T12:00:00Z')
  expect(await look()).toEqual([])
  report(0, 6, '2026-11-02T12:00:00Z')
  expect(await look()).toEqual([[expect.stringContaining('web-1'), 'open', 'quota', false]])
  // A larger quota leaves something again, and a smaller one does not.
  await contract(1, { quota_bytes: 100 * gb })
  server.clock.now += 120_000
  expect(await look()).toMatchObject([[expect.any(String), 'resolved', 'quota', false]])
  await contract(1, { quota_bytes: 4 * gb })
  server.clock.now += 120_000
  expect((await look()).map(([, state]) => state)).toEqual(['open', 'resolved'])
  const [incident] = incidents.all()
  if (incident) incidents.resolve(incident, 'admin', 'more was bought')
  server.clock.now += 120_000
  expect((await look()).map(([, state]) => state)).toEqual(['resolved', 'resolved'])
  // It is another thing in the next period.
  report(0, 6, '2026-12-01T01:00:00Z')
  expect((await look()).filter(([, state]) => state === 'open')).toEqual([])
  report(0, 11, '2026-12-02T12:00:00Z')
  expect((await look()).map(([, state]) => state)).toEqual(['open', 'resolved', 'resolved'])
})

describe('the report', () => {
  const setting = { report: 'week', report_group_id: 1, currency: 'EUR', rates: [{ currency: 'USD', rate: 0.5 }] }

  it('comes once in the morning after each week, with traffic, costs, quotas and ends', async () => {
    const { server, set, contract, report, told } = await withContracts()
    await set(setting)
    await contract(1, { price: 12, currency: 'USD', cycle: 'month', quota_bytes: 100 * gb, quota_counts: 'in' })
    await contract(2, { price: 24, currency: 'EUR', cycle: 'year', ends_at: '2026-11-20T00:00:00Z' })
    server.clock.now = Date.parse('2026-11-01T07:00:00Z')
    expect(await told(0)).toEqual([])
    report(0, 2, '2026-11-01T12:00:00Z')
    report(0, 92, '2026-11-03T12:00:00Z')
    report(1, 11, '2026-11-08T12:00:00Z')
    server.clock.now = Date.parse('2026-11-09T07:59:00Z')
    // The first one, of the week in which it was switched on, came on Monday the 2nd.
    server.clock.now = Date.parse('2026-11-09T08:00:00Z')
    const [message] = await told(1)
    expect(message?.split('\n')).toEqual([
      '[Report] Traffic and costs, 2026-11-02 – 2026-11-08',
      'Traffic: 100 GB received, 0 B sent',
      'Costs: €8.00 by month',
      expect.stringMatching(/^Of what is included: web-1 91% \(forecast \d+%\)$/),
      'Contracts that end within 30 days: web-2 2026-11-20',
      'Most traffic: web-1 90 GB, web-2 10 GB',
      'https://wheelhouse.example.org/dashboard/server-group/costs',
    ])
    expect(await told(1)).toHaveLength(1)
  })

  it('that was missed comes once after the start, and none when it is switched on', async () => {
    const first = await withContracts()
    await first.set({ report: 'day', report_group_id: 1 })
    expect(await first.told(0)).toEqual([])
    await first.stop()
    const second = await withContracts(first.kept, Date.parse('2026-11-05T09:00:00Z'))
    expect((await second.told(1))[0]).toMatch(/^\[Report\] Traffic and costs, 2026-11-04\n/)
    await second.stop()
    const third = await withContracts(first.kept, Date.parse('2026-11-05T10:00:00Z'))
    expect(await third.told(1)).toHaveLength(1)
    await third.set({ report: 'never', report_group_id: 1 })
    third.server.clock.now = Date.parse('2026-11-09T09:00:00Z')
    expect(await third.told(1)).toHaveLength(1)
    await third.set({ report: 'month', report_group_id: 1 })
    expect(await third.told(1)).toHaveLength(1)
  })

  it('names ten servers of many', async () => {
    const { server, set, told } = await withContracts()
    const browser = await signedIn(server)
    for (let id = 3; id <= 40; id++) server.app.machines.register(`m${id}`, 'n'.repeat(128), 1)
    const { data } = (await browser.get('/api/v1/server')).body as { data: { id: number; name: string }[] }
    for (const { id, name } of data) {
      await browser.call('PATCH', `server/${id}`, { body: { name, contract: { ends_at: '2026-11-20T00:00:00Z' } } })
    }
    await set({ report: 'day', report_group_id: 1 })
    await told(0)
    server.clock.now += 2 * 86_400_000
    const [message = ''] = await told(1)
    expect(message).toContain(`and ${data.length - 10} more`)
    expect(message.length).toBeLessThan(4096)
  })
})

describe('costs', () => {
  it('are summed by group, provider and month in one currency', async () => {
    const { get, call, contract, set, report } = await withContracts()
    await set({ currency: 'EUR', rates: [{ currency: 'USD', rate: 0.5 }] })
    await contract(1, {
      price: 120,
      currency: 'USD',
      cycle: 'year',
      ends_at: '2027-02-15T00:00:00Z',
      renews: true,
      provider: 'A',
    })
    await contract(2, { price: 7, cycle: 'month', provider: 'A', ends_at: '2026-12-20T00:00:00Z' })
    await call('POST', 'server-group', { name: 'shop', servers: [1, 2] })
    await call('POST', 'server-group', { name: 'web', servers: [1] })
    report(0, 3, '2026-11-02T00:00:00Z')
    const costs = await get<Costs>('wheelhouse/costs')
    const both = { servers: 2, month: 12, received: 2 * gb, sent: 0, used: 2 * gb }
    expect(costs).toMatchObject({
      currency: 'EUR',
      total: both,
      providers: [{ ...both, provider: 'A' }],
      unconverted: [],
    })
    expect(costs.groups).toEqual([
      { ...both, group_id: 1, name: 'shop' },
      { ...both, group_id: 2, name: 'web', servers: 1, month: 5 },
    ])
    expect(costs.months.slice(0, 4)).toEqual([
      { month: '2026-11', due: 7 },
      { month: '2026-12', due: 0 },
      { month: '2027-01', due: 0 },
      { month: '2027-02', due: 60 },
    ])
    expect(costs.servers.map(({ name, ends_at }) => [name, ends_at])).toEqual([
      ['web-2', '2026-12-20T00:00:00Z'],
      ['web-1', '2027-02-15T00:00:00Z'],
    ])
  })

  it('without a rate are in no sum, and those of contracts that have ended neither', async () => {
    const { get, contract } = await withContracts()
    await contract(1, { price: 1e12, currency: 'XXX' })
    await contract(2, {
      price: 9,
      currency: 'EUR',
      ends_at: '2026-10-01T00:00:00Z',
      provider: '"><img src=x onerror=alert(1)>',
    })
    const costs = await get<Costs>('wheelhouse/costs')
    expect(costs).toMatchObject({
      currency: 'EUR',
      total: { month: 0 },
      unconverted: [{ currency: 'XXX', servers: 1 }],
    })
    expect(costs.servers.map((row) => row.month)).toEqual([undefined, undefined])
  })

  it('are read once at a time for each person', async () => {
    const { server, get } = await withContracts()
    let end = () => {}
    const reading = server.app.traffic.inPlace({ id: 1 }, () => new Promise<void>((resolve) => (end = resolve)))
    let isRead = false
    const costs = get<Costs>('wheelhouse/costs').then(() => (isRead = true))
    // Others are not kept waiting.
    await get<Costs>('wheelhouse/costs', 'member')
    await get('wheelhouse/contract-setting')
    expect(isRead).toBe(false)
    end()
    await Promise.all([reading, costs])
  })

  it('of a member are those of own servers and groups', async () => {
    const { server, get, call, contract, set } = await withContracts()
    await contract(1, { price: 5, currency: 'EUR', provider: 'secret provider' })
    await call('POST', 'server-group', { name: 'secret group', servers: [1, 2] })
    expect(await get<Costs>('wheelhouse/costs', 'member')).toMatchObject({
      total: { servers: 0 },
      servers: [],
      groups: [],
    })
    entityTable(server.store, serverEntity).update(2, { user_id: 2 })
    const costs = await get<Costs>('wheelhouse/costs', 'member')
    expect(costs.total.servers).toBe(1)
    expect(JSON.stringify(costs)).not.toContain('secret')
    expect(await call('GET', 'wheelhouse/contract-setting', undefined, 'member')).toMatchObject({
      error: expect.any(String),
    })
    expect(await set({ currency: 'EUR' })).toMatchObject({ success: true })
  })

  it('have settings that refuse what cannot be', async () => {
    const { set, get } = await withContracts()
    for (const wrong of [
      { currency: 'euro' },
      { rates: [{ currency: 'USD', rate: 0 }] },
      { rates: [{ currency: 'USD', rate: 1e300 }] },
      { rates: [{ currency: 'USD', rate: null }] },
      { rates: [{ currency: '<b>', rate: 1 }] },
      {
        rates: [
          { currency: 'USD', rate: 1 },
          { currency: 'USD', rate: 2 },
        ],
      },
      { rates: Array.from({ length: 201 }, () => ({ currency: 'USD', rate: 1 })) },
      { report: 'hour' },
      { notification_group_id: 99 },
      { report_group_id: -1 },
      { escalation_id: 99 },
    ]) {
      expect(await set(wrong), JSON.stringify(wrong)).toMatchObject({ error: expect.any(String) })
    }
    expect(await get('wheelhouse/contract-setting')).toEqual({
      notification_group_id: 0,
      escalation_id: 0,
      report: 'never',
      report_group_id: 0,
      currency: '',
      rates: [],
    })
  })
})

describe('a correction', () => {
  it('says what the provider shows, with who and when, counts on from there, and is taken back', async () => {
    const { call, get, contract, report } = await withContracts()
    await contract(1, { quota_bytes: 100 * gb, quota_counts: 'in' })
    report(0, 3, '2026-11-02T00:00:00Z')
    const correct = (used: unknown) => call('POST', 'wheelhouse/traffic/1/correct', { used } as object)
    expect(await correct(52 * gb)).toMatchObject({ data: { used: 52 * gb, received: 2 * gb } })
    report(0, 4, '2026-11-03T00:00:00Z')
    const corrected = await get<ServerTraffic>('wheelhouse/traffic/1')
    expect(corrected).toMatchObject({
      used: 53 * gb,
      // 53 GB in two days.
      forecast: Math.round(53 * gb * 15),
      correction: { at: '2026-11-02T00:00:00Z', by: 'admin', difference: 50 * gb },
    })
    expect(corrected.periods[0]).toMatchObject({ used: 53 * gb })
    await correct(1 * gb)
    expect(await get('wheelhouse/traffic/1')).toMatchObject({ used: gb, correction: { difference: -2 * gb } })
    expect(await correct(null)).toMatchObject({ data: { used: 53 * gb } })
    expect(await correct(null)).toMatchObject({ data: { used: 3 * gb } })
    expect(await correct(null)).toMatchObject({ error: 'there is no correction in this period' })
    for (const wrong of [-1, 1.5, 1e300, '5', undefined]) {
      expect(await correct(wrong), String(wrong)).toMatchObject({ error: expect.any(String) })
    }
    expect(await call('POST', 'wheelhouse/traffic/1/correct', { used: 1 }, 'member')).toMatchObject({
      error: 'permission denied',
    })
  })

  it('holds for the contract that it was made for only', async () => {
    const { call, get, contract, report } = await withContracts()
    await contract(1, { quota_bytes: 100 * gb, quota_counts: 'in' })
    report(0, 3, '2026-11-02T00:00:00Z')
    await call('POST', 'wheelhouse/traffic/1/correct', { used: 52 * gb })
    const used = async () => (await get<ServerTraffic>('wheelhouse/traffic/1')).used
    await contract(1, { quota_bytes: 100 * gb, quota_counts: 'out' })
    expect(await used()).toBe(0)
    await contract(1, { quota_bytes: 100 * gb, quota_counts: 'in', resets_on: 2 })
    expect(await used()).toBe(2 * gb)
    expect(await call('POST', 'wheelhouse/traffic/1/correct', { used: null })).toMatchObject({
      error: 'there is no correction in this period',
    })
    await contract(1, { quota_bytes: 200 * gb, quota_counts: 'in' })
    expect(await used()).toBe(52 * gb)
  })

  it('that is too large to be kept is refused, and what others see stays readable', async () => {
    const { call, get, report } = await withContracts()
    // By the machine's own figures: 400 Gbit/s for four days.
    for (const days of [1, 2, 5]) report(0, 1 + days * 4.2e6, start + days * 86_400_000, 50e9)
    const { used } = await get<ServerTraffic>('wheelhouse/traffic/1')
    expect(used).toBeGreaterThan(2 ** 53)
    expect(await call('POST', 'wheelhouse/traffic/1/correct', { used: 0 })).toMatchObject({
      error: 'what was counted is so far from that that it cannot be corrected',
    })
    expect(await get<ServerTraffic[]>('wheelhouse/traffic')).toHaveLength(2)
    expect(await call('POST', 'batch-delete/server', [2])).toMatchObject({ success: true })
  })

  it('holds in its period only', async () => {
    const { call, get, report } = await withContracts()
    report(0, 3, '2026-11-02T00:00:00Z')
    await call('POST', 'wheelhouse/traffic/1/correct', { used: 9 * gb })
    report(0, 4, '2026-12-02T00:00:00Z')
    expect(await get('wheelhouse/traffic/1')).toMatchObject({ used: gb })
    expect(await get('wheelhouse/traffic/1?period=1')).toMatchObject({ used: 9 * gb })
  })
})
