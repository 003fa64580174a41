import { describe, expect, it } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMutes, createOpenWindows, createSilences } from '../../../server/maintenance/silence.ts'
import { maintenanceWindow } from '../../../src/schemas/maintenanceWindow.ts'
import { mute } from '../../../src/schemas/mute.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')
const roleOf = (id: number) => ({ 1: 0, 2: 1 })[id]

/** Service checks beside maintenance windows and mutes, all by one clock that begins at noon. */
async function silencedFixture({ machines = 1, store = openStore(':memory:'), clock = { now: noon } } = {}) {
  const now = () => clock.now
  const silences = createSilences(
    createOpenWindows({ store, roleOf, zone: 'UTC', now }),
    createMutes({ store, roleOf, grantsOf: () => ({ has: () => false, teams: () => new Set() }), now }),
  )
  const fixture = await serviceFixture({ store, clock, machines, silences })
  /** A window of an administrator from 12:10 to 12:20. */
  const addWindow = (fields: object) =>
    entityTable(store, maintenanceWindow).insert({
      user_id: 1,
      name: 'work',
      enabled: true,
      repeat: 0,
      starts_at: '2026-11-21T12:10',
      duration: 10,
      week: 1,
      time_zone: 'UTC',
      servers: [],
      server_groups: [],
      services: [],
      tags: '',
      notification_group_id: 0,
      ...fields,
    })
  const addMute = (fields: object) =>
    entityTable(store, mute).insert({ user_id: 1, name: 'seen', server_id: 0, rule_id: 0, service_id: 0, ...fields })
  const messages = () => fixture.notifications.map(({ message }) => message)
  const up = () => {
    for (const host of fixture.hosts) host.reply = async () => ({ outcome: 'up', delay: 1 })
  }
  const down = (index?: number) => {
    for (const [number, host] of fixture.hosts.entries()) {
      if (index === undefined || index === number) host.reply = async () => ({ outcome: 'down', problem: 'refused' })
    }
  }
  return { ...fixture, addWindow, addMute, messages, up, down }
}

const notified = { notify: true, notification_group_id: 1 }

describe('a service in maintenance', () => {
  it('counts neither as up nor as down, has no outage, and nobody is notified', async () => {
    const { services, addWindow, messages, down, up, pass, add, clock } = await silencedFixture()
    const id = add(notified)
    addWindow({ services: [id] })
    await pass(600)
    const totals = async () => {
      const overviewOf = await services.overview.read(clock.now)
      return overviewOf({ id } as never, true) as { total_up: number; total_down: number }
    }
    await services.recorder.save()
    const before = await totals()
    down()
    await pass(590)
    up()
    await pass(120)
    await services.recorder.save()
    expect((await totals()).total_down).toBe(0)
    expect((await totals()).total_up - before.total_up).toBeLessThanOrEqual(5)
    expect(messages()).toEqual([])
    expect(services.checker.outagesOf(id)).toEqual([])
    expect(services.checker.statusOf(id)).toBe('up')
  })

  it('that was down before is not down for what passes in the window', async () => {
    const { services, addWindow, down, up, pass, add, clock } = await silencedFixture()
    const id = add()
    addWindow({ services: [id] })
    await pass(300)
    down()
    await pass(1200)
    up()
    await pass(120)
    await services.recorder.save()
    const days = await services.samples.downtime.all({ from: 0, until: clock.now + 86_400_000 })
    const minutes = days.reduce((sum, { sums: [ms] }) => sum + (ms ?? 0), 0) / 60_000
    // From 12:05 to 12:25 without the window, give or take two checks at each of the four ends.
    expect(minutes).toBeGreaterThanOrEqual(7)
    expect(minutes).toBeLessThanOrEqual(11)
  })

  it('that is still down when the window closes causes a notification then', async () => {
    const { services, addWindow, messages, down, pass, add } = await silencedFixture()
    const id = add(notified)
    addWindow({ services: [id] })
    await pass(610)
    down()
    await pass(580)
    expect(messages()).toEqual([])
    await pass(120)
    expect(messages()).toEqual([expect.stringContaining('[Down] db: refused')])
    expect(services.checker.outagesOf(id)).toHaveLength(1)
  })

  it('goes on being checked by the servers that are not in maintenance', async () => {
    const { addWindow, messages, down, pass, add } = await silencedFixture({ machines: 2 })
    add({ ...notified, cover: 0 })
    addWindow({ servers: [1] })
    await pass(610)
    down(0)
    await pass(300)
    expect(messages()).toEqual([])
    down(1)
    await pass(120)
    expect(messages()).toEqual([expect.stringContaining('seen from web-2')])
  })

  it('of an administrator is not silenced by a member', async () => {
    const { addWindow, messages, down, pass, add } = await silencedFixture()
    const id = add(notified)
    addWindow({ user_id: 2, services: [id], servers: [1] })
    await pass(610)
    down()
    await pass(120)
    expect(messages()).toEqual([expect.stringContaining('[Down]')])
  })
})

describe('a muted service', () => {
  it('has its outage, of which people are notified when the mute ends, also after a restart', async () => {
    const first = await silencedFixture()
    const id = first.add(notified)
    first.addMute({ service_id: id, ends_at: '2026-11-21T12:20:00Z' })
    await first.pass(60)
    first.down()
    await first.pass(120)
    expect(first.messages()).toEqual([])
    expect(first.services.checker.outagesOf(id)).toHaveLength(1)
    await first.services.checker.stop()
    const next = await silencedFixture({ store: first.store, clock: first.clock })
    next.down()
    await next.pass(600)
    expect(next.messages()).toEqual([])
    await next.pass(600)
    expect(next.messages()).toEqual([expect.stringContaining('[Down] db: refused (seen from web-1')])
    next.up()
    await next.pass(120)
    expect(next.messages()).toEqual([expect.anything(), expect.stringContaining('[Up]')])
  })

  it('that recovers before the mute ends causes no notification', async () => {
    const { addMute, messages, down, up, pass, add } = await silencedFixture()
    const id = add(notified)
    addMute({ service_id: id, ends_at: '2026-11-21T12:20:00Z' })
    await pass(60)
    down()
    await pass(120)
    up()
    await pass(1200)
    expect(messages()).toEqual([])
  })

  it('that was down before causes a notification when it is up again', async () => {
    const { addMute, messages, down, up, pass, add } = await silencedFixture()
    const id = add(notified)
    await pass(60)
    down()
    await pass(120)
    addMute({ service_id: id, ends_at: '2026-11-21T12:20:00Z' })
    up()
    await pass(120)
    expect(messages()).toEqual([expect.stringContaining('[Down]'), expect.stringContaining('[Up]')])
  })
})
