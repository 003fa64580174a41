import { describe, expect, it } from 'vitest'
import type { Alarm } from '../../../server/alerts/alarms.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { causeOfOutage, createIncidents, incidentLimits } from '../../../server/status/history/incidents.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { service as serviceEntity } from '../../../src/schemas/service.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const [second, minute, day] = [1000, 60_000, 86_400_000]

/** Service checks, and the incidents that visitors see. */
async function incidentFixture(alarms: Partial<Alarm>[] = []) {
  const fixture = await serviceFixture()
  const { clock, store, services, host } = fixture
  const incidents = createIncidents({
    store,
    recentOutages: services.checker.recentOutages,
    now: () => clock.now,
    allAlarms: () => alarms.map((alarm, index) => ({ ...quiet, id: index + 1, ...alarm })),
  })
  const down = (problem = 'refused') => {
    host.reply = async () => ({ outcome: 'down', problem })
  }
  const up = () => {
    host.reply = async () => ({ outcome: 'up', delay: 1 })
  }
  return { ...fixture, incidents, down, up, servers: entityTable(store, serverEntity) }
}

const noon = Date.parse('2026-11-21T12:00:00Z')
const quiet: Alarm = {
  id: 0,
  rule_id: 1,
  owner_id: 1,
  rule_version: '',
  rule_name: 'secret rule',
  server_id: 1,
  server_name: 'old',
  causes: [{ type: 'offline' }],
  started_at: noon - 60 * minute,
  ended_at: noon - 30 * minute,
  withdrawn: false,
  paused: false,
  notified: true,
  silenced: '',
}

describe('the incidents of services', () => {
  it('are their outages, with a cause that names no address, and an id that stays', async () => {
    const { incidents, add, pass, down, up, clock } = await incidentFixture()
    add({ name: 'Shop' })
    await pass(60)
    expect(incidents.recent()).toEqual([])
    down('Get "https://shop.internal.example": dial tcp 10.1.2.3:443: connection refused')
    await pass(120)
    const [running] = incidents.recent()
    expect(running).toMatchObject({ kind: 'service_down', record_id: 1, name: 'Shop', ended_at: null })
    expect(running?.cause).toEqual({ kind: 'refused' })
    expect(JSON.stringify(incidents.recent())).not.toMatch(/10\.1|internal/)
    up()
    await pass(120)
    const [ended] = incidents.recent()
    expect(ended).toEqual({ ...running, ended_at: expect.any(Number) })
    clock.now += 14 * day - 10 * minute
    expect(incidents.recent()).toHaveLength(1)
    clock.now += 20 * minute
    expect(incidents.recent()).toEqual([])
  })

  it('disappear at once when the service is hidden or deleted, and have its name of today', async () => {
    const { incidents, add, pass, down, table } = await incidentFixture()
    add({ name: 'Shop' })
    down()
    await pass(60)
    expect(incidents.recent()).toHaveLength(1)
    table.update(1, { name: 'Store' })
    expect(incidents.recent()).toMatchObject([{ name: 'Store' }])
    table.update(1, { hide_for_guest: true })
    expect(incidents.recent()).toEqual([])
    table.update(1, { hide_for_guest: false })
    expect(incidents.recent()).toHaveLength(1)
    table.remove([1])
    expect(incidents.recent()).toEqual([])
  })

  it('begin with those that last, however many others there are', async () => {
    const { store, clock } = await incidentFixture()
    const services = entityTable(store, serviceEntity)
    services.insert({ name: 'Shop', user_id: 1 })
    const outage = { service_id: 1, problem: '', server_name: '', silenced: false, failure: null }
    const outages = Array.from({ length: 500 }, (_, index) => ({
      ...outage,
      id: index + 1,
      started_at: clock.now - (500 - index) * minute,
      ended_at: index === 3 ? null : clock.now - (500 - index) * minute + second,
    }))
    const incidents = createIncidents({
      store,
      recentOutages: () => outages,
      allAlarms: () => [],
      now: () => clock.now,
    })
    const shown = incidents.recent()
    expect(shown).toHaveLength(incidentLimits.count)
    expect(shown.slice(0, 3).map(({ id }) => id)).toEqual([
      'service-outage-4',
      'service-outage-500',
      'service-outage-499',
    ])
  })
})

describe('the incidents of servers', () => {
  it('are alarms about servers that were offline, without the rule', async () => {
    const { incidents, servers } = await incidentFixture([{}])
    servers.update(1, { name: 'Frankfurt' })
    expect(incidents.recent()).toEqual([
      {
        id: 'server-alarm-1',
        kind: 'server_offline',
        record_id: 1,
        name: 'Frankfurt',
        cause: { kind: 'offline' },
        started_at: quiet.started_at,
        ended_at: quiet.ended_at,
      },
    ])
  })

  it.each<[string, Partial<Alarm>]>([
    ['thresholds', { causes: [{ type: 'cpu', value: 97, max: 90 }] }],
    ['what was withdrawn', { withdrawn: true }],
    ['what happens in maintenance', { silenced: 'maintenance', ended_at: null }],
    ['servers that do not exist', { server_id: 99 }],
    ['what ended more than 14 days ago', { started_at: noon - 16 * day, ended_at: noon - 15 * day }],
  ])('are not about %s', async (_what, alarm) => {
    const { incidents } = await incidentFixture([alarm])
    expect(incidents.recent()).toEqual([])
  })

  it('are not about hidden servers', async () => {
    const { incidents, servers } = await incidentFixture([{}])
    servers.update(1, { hide_for_guest: true })
    expect(incidents.recent()).toEqual([])
  })

  it('are shown once where several rules watch a server', async () => {
    const at = (minutes: number) => noon + minutes * minute
    const { incidents } = await incidentFixture([
      { started_at: at(-50), ended_at: at(-40) },
      { started_at: at(-55), ended_at: at(-45), rule_id: 2 },
      { started_at: at(-30), ended_at: at(-20) },
      { started_at: at(-10), ended_at: null },
      { started_at: at(-9), ended_at: at(-8), rule_id: 2 },
    ])
    expect(incidents.recent().map(({ id, started_at, ended_at }) => [id, started_at, ended_at])).toEqual([
      ['server-alarm-4', at(-10), null],
      ['server-alarm-3', at(-30), at(-20)],
      ['server-alarm-2', at(-55), at(-40)],
    ])
  })

  it('come from the rules that people make', async () => {
    const host = createTestHost({ uuid: 'a', name: 'web-1' })
    const alertTimes = { firstCheckMs: 1e9, intervalMs: 1e9 }
    const { app, clock, ...server } = await testServer({
      alertTimes,
      machines: (on) => {
        const machines = createMachines(on)
        machines.add(host)
        return machines
      },
    })
    host.report({ at: new Date(clock.now) })
    const browser = await signedIn({ app, clock, ...server })
    const rule = { name: 'gone', enable: true, trigger_mode: 1, notification_group_id: 0 }
    const rules = [{ type: 'offline', duration: 3, cover: 0 }]
    const reply = await browser.call('POST', 'alert-rule', { body: { ...rule, rules } })
    expect(reply.body).toMatchObject({ success: true })
    const check = async (isOnline: boolean) => {
      for (let round = 0; round < 20; round++) {
        clock.now += 3000
        if (isOnline) host.report({ at: new Date(clock.now) })
        await app.alerts.check()
      }
    }
    await check(true)
    expect(app.visitorIncidents.recent()).toEqual([])
    host.disconnect()
    await check(false)
    expect(app.visitorIncidents.recent()).toMatchObject([{ kind: 'server_offline', name: 'web-1', ended_at: null }])
    await app.close()
  })
})

describe('the cause of an outage', () => {
  it.each([
    ['500 Internal Server Error', { kind: 'status', code: 500 }],
    ['404', { kind: 'status', code: 404 }],
    ['Get "https://timeout.example": connection refused', { kind: 'refused' }],
    ['Get "https://certificate.example": context deadline exceeded (Client.Timeout exceeded)', { kind: 'timeout' }],
    ['dial tcp 192.0.2.1:443: i/o timeout', { kind: 'timeout' }],
    ['dial tcp timeout:443: connection refused', { kind: 'refused' }],
    ['answered after 10.2 s only', { kind: 'timeout' }],
    ['ping 192.0.2.1: no reply', { kind: 'timeout' }],
    ['ping 192.0.2.1: connect: Network is unreachable', { kind: 'unreachable' }],
    ['lookup refused.example: no such host', { kind: 'name' }],
    ['lookup shop on 192.0.2.53:53: no such host', { kind: 'name' }],
    ['tls: failed to verify certificate: x509: certificate has expired or is not yet valid', { kind: 'certificate' }],
    ['dial tcp 192.0.2.1:443: connect: no route to host', { kind: 'unreachable' }],
    ['1234 somebody wrote a number', { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
    ['<script>alert(1)</script> at 10.0.0.1', { kind: 'unknown' }],
  ])('of “%s” is %j', (problem, cause) => {
    expect(causeOfOutage(problem)).toEqual(cause)
  })
})
