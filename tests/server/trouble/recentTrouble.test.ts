import { describe, expect, it } from 'vitest'
import { openAlarms } from '../../../server/alerts/alarms.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { openOutages } from '../../../server/services/outages.ts'
import type { RecentTrouble } from '../../../src/schemas/endpoints/recentTrouble.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** The clock of test servers. */
const now = Date.parse('2026-11-21T00:00:00Z')
const hoursAgo = (count: number) => now - count * 3_600_000
const fail = (error: unknown) => expect(error).toBeUndefined()

/** @param change what was wrong before the server was started */
async function troubleFor(
  role: 'admin' | 'member',
  change: (alarms: ReturnType<typeof openAlarms>, outages: ReturnType<typeof openOutages>) => void,
): Promise<RecentTrouble> {
  const { store, app } = await testServer()
  entityTable(store, service).insert({ name: 'shop', user_id: 1 })
  await app.close()
  change(openAlarms(store, fail), openOutages(store, fail))
  const browser = await signedIn(await testServer({ store }), role)
  return ((await browser.get('wheelhouse/trouble')).body as { data: RecentTrouble }).data
}

const fired = {
  owner_id: 1,
  rule_version: '1',
  rule_id: 1,
  rule_name: 'busy',
  server_id: 4,
  server_name: 'web-4',
  causes: [{ type: 'cpu', value: 97 }],
  notified: true,
}
const outage = { problem: 'refused', server_name: 'web-1' }

describe('What was wrong in the last 24 hours', () => {
  it('has alarms and outages, latest first, and what ended within them although it began before', async () => {
    const { troubles, ...rest } = await troubleFor('admin', (alarms, outages) => {
      alarms.close(alarms.open({ ...fired, started_at: hoursAgo(40) }), hoursAgo(25), false)
      alarms.close(alarms.open({ ...fired, started_at: hoursAgo(30) }), hoursAgo(20), false)
      const gone = { ...fired, causes: [{ type: 'offline' }] }
      alarms.close(alarms.open({ ...gone, started_at: hoursAgo(3) }), hoursAgo(2), false)
      outages.begin(1, { ...outage, started_at: hoursAgo(5) })
      outages.end(1, hoursAgo(4))
    })
    expect(troubles).toEqual([
      {
        kind: 'alarm',
        id: 3,
        name: 'web-4',
        server_id: 4,
        rule_name: 'busy',
        offline: true,
        started_at: '2026-11-20T21:00:00Z',
        ended_at: '2026-11-20T22:00:00Z',
      },
      {
        kind: 'outage',
        id: 1,
        name: 'shop',
        service_id: 1,
        started_at: '2026-11-20T19:00:00Z',
        ended_at: '2026-11-20T20:00:00Z',
      },
      expect.objectContaining({ kind: 'alarm', id: 2 }),
    ])
    expect(rest).toEqual({ last_ended_at: '2026-11-20T22:00:00Z' })
  })

  it('says when the last one ended, also before that, and not while one lasts', async () => {
    const before = await troubleFor('admin', (alarms) =>
      alarms.close(alarms.open({ ...fired, started_at: hoursAgo(50) }), hoursAgo(49), false),
    )
    expect(before).toEqual({ troubles: [], last_ended_at: '2026-11-18T23:00:00Z' })
    const lasting = await troubleFor('admin', (_alarms, outages) =>
      outages.begin(1, { ...outage, started_at: hoursAgo(50) }),
    )
    expect(lasting.troubles).toMatchObject([{ kind: 'outage', service_id: 1 }])
    expect(lasting).not.toHaveProperty('last_ended_at')
  })

  it('leaves out what was withdrawn or in maintenance', async () => {
    const { troubles } = await troubleFor('admin', (alarms) => {
      alarms.close(alarms.open({ ...fired, started_at: hoursAgo(3) }), hoursAgo(2), true)
      const silenced = alarms.open({ ...fired, server_id: 5, started_at: hoursAgo(3), silenced: 'maintenance' })
      alarms.close(silenced, hoursAgo(2), false)
    })
    expect(troubles).toEqual([])
  })

  it('is of their own rules, servers and services for members', async () => {
    const { troubles } = await troubleFor('member', (alarms, outages) => {
      alarms.close(alarms.open({ ...fired, started_at: hoursAgo(3) }), hoursAgo(2), false)
      alarms.close(alarms.open({ ...fired, owner_id: 2, rule_id: 2, started_at: hoursAgo(3) }), hoursAgo(1), false)
      outages.begin(1, { ...outage, started_at: hoursAgo(5) })
    })
    expect(troubles.map(({ id }) => id)).toEqual([2])
  })
})

describe('A profile', () => {
  it('counts who is offline, full disks, alarms and outages, without what is silenced and alarms of who is offline', async () => {
    const { store, app } = await testServer()
    entityTable(store, service).insert({ name: 'shop', user_id: 1 })
    const names = ['busy', 'maintained', 'full', 'offline']
    const rows = entityTable(store, serverEntity)
    const [busy = 0, maintained = 0, , offline = 0] = names.map((name) => rows.insert({ uuid: name, name, user_id: 1 }))
    await app.close()
    const [alarms, outages] = [openAlarms(store, fail), openOutages(store, fail)]
    alarms.open({ ...fired, server_id: busy, started_at: hoursAgo(1) })
    alarms.open({ ...fired, server_id: maintained, started_at: hoursAgo(1), silenced: 'maintenance' })
    alarms.open({ ...fired, server_id: offline, started_at: hoursAgo(1) })
    alarms.close(alarms.open({ ...fired, server_id: busy, started_at: hoursAgo(2) }), hoursAgo(1), false)
    outages.begin(1, { ...outage, started_at: hoursAgo(1) })
    const hosts = names.slice(0, 3).map((name) => createTestHost({ uuid: name, name }))
    const server = await testServer({
      store,
      machines: (on) => {
        const machines = createMachines(on)
        for (const host of hosts) machines.add(host)
        return machines
      },
    })
    const report = { host: { disk_total: 1000 }, at: new Date(now) }
    for (const host of hosts) host.report({ ...report, state: { disk_used: 500 } })
    hosts[2]?.report({ ...report, state: { disk_used: 990 } })
    const troublesOf = async (role: 'admin' | 'member') =>
      ((await (await signedIn(server, role)).get('profile')).body as { data: { troubles?: number } }).data.troubles
    expect(await troublesOf('admin')).toBe(4)
    expect(await troublesOf('member')).toBeUndefined()
  })
})
