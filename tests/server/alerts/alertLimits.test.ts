import { describe, expect, it } from 'vitest'
import { alarmLimits } from '../../../server/alerts/alarms.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { server } from '../../../src/schemas/server.ts'
import { alertFixture, noon } from '../../support/server/fixtures/alertFixture.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** Cycle rules, each with a calendar of its own. */
const cycleRules = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'transfer_all_cycle',
    max: 1e12,
    cover: 0,
    cycle_interval: 1,
    cycle_unit: 'day',
    cycle_start: new Date(noon - 86_400_000 * 400 - index * 1000).toISOString(),
  }))

const day = {
  type: 'transfer_all_cycle',
  max: 1e12,
  cycle_start: '2026-11-21T00:00:00Z',
  cycle_interval: 1,
  cycle_unit: 'day',
}
const counters = (bytes: number, uptime = 1) => ({ state: { net_in_transfer: bytes, uptime } })

/** How often others could work while something ran. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0
  let isRunning = true
  const count = () => {
    turns++
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isRunning = false
  return turns
}

it('ended alarms of one person do not push those of others out of the history', () => {
  const { alarms } = alertFixture()
  const end = (owner_id: number, started_at: number) => {
    const names = { rule_id: owner_id, rule_version: '', rule_name: 'r', server_id: started_at, server_name: 's' }
    alarms.close(alarms.open({ ...names, owner_id, causes: [], started_at, notified: false }), noon, false)
  }
  for (let at = 0; at < 20; at++) end(1, at)
  for (let at = 0; at < alarmLimits.count + 300; at++) end(2, at)
  alarms.removeOld(noon)
  const owners = Map.groupBy(alarms.all(), ({ owner_id }) => owner_id)
  expect([owners.get(1)?.length, owners.get(2)?.length]).toEqual([20, alarmLimits.count - 20])
  expect(owners.get(2)?.[0]?.started_at).toBe(alarmLimits.count + 299)
})

describe('an alert rule', () => {
  it('of more rules than are of use is refused with a message, before work is done for it', async () => {
    const member = await signedIn(await testServer(), 'member')
    const form = { name: 'Traffic', enable: false, notification_group_id: 0, trigger_mode: 0 }
    const { body } = await member.call('POST', 'alert-rule', { body: { ...form, rules: cycleRules(21) } })
    expect(body).toEqual({ error: 'rules must have at most 20 entries' })
    const accepted = await member.call('POST', 'alert-rule', { body: { ...form, rules: cycleRules(20) } })
    expect(accepted.body).toMatchObject({ success: true })
  })

  it.each([true, false])(
    'with thousands of rules in an older database lets others work (enabled: %s)',
    async (enable) => {
      const fixture = alertFixture({ servers: 2, zone: 'Europe/Rome' })
      for (let alert = 0; alert < 3; alert++) fixture.rule(cycleRules(1000 * (alert + 1)), { enable })
      const check = () => fixture.checks(1, () => [counters(5)])
      const turns = [await turnsDuring(check)]
      fixture.restart()
      turns.push(await turnsDuring(check))
      fixture.clock.now += 86_400_000
      turns.push(await turnsDuring(check))
      expect(Math.min(...turns)).toBeGreaterThan(10)
    },
  )

  it('of a member counts the traffic of the member’s servers only', async () => {
    const fixture = alertFixture({ servers: 3 })
    entityTable(fixture.store, server).update(2, { user_id: 2 })
    fixture.rule([day], { user_id: 2 })
    await fixture.checks(1, () => [counters(5), counters(7), counters(9)])
    const saved = fixture.store.table<{ id: number; name: string; data: string }>({ name: 'alert-state', columns: [] })
    const counts = saved.all().filter(({ name }) => name.startsWith('cycle '))
    expect(counts.map(({ data }) => (JSON.parse(data) as { counts: [number][] }).counts.map(([id]) => id))).toEqual([
      [2],
    ])
  })

  it('of a member counts anew on a server that was somebody else’s meanwhile', async () => {
    const fixture = alertFixture()
    const servers = entityTable(fixture.store, server)
    servers.update(1, { user_id: 2 })
    fixture.rule([day], { user_id: 2 })
    const report = (bytes: number) => fixture.checks(1, () => [counters(bytes, 100_000)])
    await report(1000)
    servers.update(1, { user_id: 3 })
    await report(1500)
    servers.update(1, { user_id: 2 })
    await report(2000)
    await report(2300)
    expect(fixture.alerts.cycleTransferStats()?.[1]?.transfer).toEqual({ 1: 300 })
  })

  it('of a user who becomes an administrator counts on all servers, and no longer afterwards', async () => {
    const roles = new Map([[2, 1]])
    const fixture = alertFixture({ servers: 2, roles })
    fixture.rule([day], { user_id: 2 })
    const transfer = () => fixture.alerts.cycleTransferStats()?.[1]?.transfer
    const report = (bytes: number) => fixture.checks(1, () => [counters(bytes, 100_000), counters(bytes, 100_000)])
    await report(1000)
    expect(transfer()).toBeUndefined()
    roles.set(2, 0)
    await report(2000)
    await report(2400)
    expect(transfer()).toEqual({ 1: 400, 2: 400 })
    roles.set(2, 1)
    await report(3000)
    expect(transfer()).toBeUndefined()
  })
})
