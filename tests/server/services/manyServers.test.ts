import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { ProbeResult } from '../../../server/machines/hosts/probe.ts'
import { server } from '../../../src/schemas/server.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

const refused: ProbeResult = { outcome: 'down', problem: 'connection refused' }
const good: ProbeResult = { outcome: 'up', delay: 1 }
const notified = { notify: true, notification_group_id: 7 }

describe('a service on many servers', () => {
  it('is checked by one after the other within its interval, not by all at once', async () => {
    const { add, hosts, pass, clock } = await serviceFixture({ machines: 300 })
    const perTick = new Map<number, number>()
    for (const host of hosts) {
      host.reply = async () => {
        perTick.set(clock.now, (perTick.get(clock.now) ?? 0) + 1)
        return good
      }
    }
    add()
    await pass(91)
    expect(Math.max(...[...perTick.values()].slice(40))).toBeLessThanOrEqual(4)
    const counts = hosts.map(({ asked }) => asked.length)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(3)
    expect(Math.max(...counts)).toBeLessThanOrEqual(4)
    // The first round of a new service is quick.
    expect([...perTick.values()].slice(0, 40).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(300)
  })

  it('costs no more for each server when thousands are asked at once', async () => {
    const { add, hosts, pass } = await serviceFixture({ machines: 50 })
    const signals: (AbortSignal | undefined)[] = []
    for (const host of hosts) {
      host.reply = async (_check, { signal }) => {
        signals.push(signal)
        return good
      }
    }
    add()
    await pass(31)
    expect(signals.length).toBeGreaterThanOrEqual(50)
    // Node looks through all listeners of a signal each time when one is added or removed.
    expect(new Set(signals).size).toBe(signals.length)
  })

  it('is checked by a server that connects later, without delay for the others', async () => {
    const { add, hosts, pass, machines } = await serviceFixture({ machines: 3 })
    add()
    const absent = hosts[2]
    await pass(31)
    const before = absent?.asked.length ?? 0
    expect(before).toBeGreaterThan(0)
    await machines.stop()
    if (absent) machines.add(absent)
    await pass(62)
    expect(absent?.asked.length).toBeGreaterThan(before)
  })

  it('is shown by server in its history, failing ones first, and in the reason of the latest failure', async () => {
    const { add, hosts, pass, services, clock } = await serviceFixture({ machines: 3 })
    const id = add()
    if (hosts[1]) hosts[1].reply = async () => refused
    await pass(91)
    expect(services.checker.problemOf(id)).toBe('web-2: connection refused')
    await services.recorder.save()
    const { servers: results } = await services.histories.ofService(id, '1d', clock.now)
    expect(results.map(({ server: from, totals }) => [from, totals.up > 0, totals.down > 0])).toEqual([
      [2, false, true],
      [1, true, false],
      [3, true, false],
    ])
    if (hosts[1]) hosts[1].reply = async () => good
    await pass(62)
    expect(services.checker.problemOf(id)).toBeUndefined()
  })

  it('gives one server in the reason as long as all of them say the same', async () => {
    const { add, hosts, pass, services } = await serviceFixture({ machines: 3 })
    const id = add()
    for (const host of hosts) host.reply = async () => refused
    await pass(91)
    const reasons = new Set<string | undefined>()
    for (let round = 0; round < 20; round++) {
      await pass(7)
      reasons.add(services.checker.problemOf(id))
    }
    expect([...reasons]).toEqual([expect.stringMatching(/^web-\d: connection refused$/)])
  })

  it('is not called down because the first server of a new service fails', async () => {
    const { add, hosts, pass, notifications } = await serviceFixture({ machines: 3 })
    if (hosts[0]) hosts[0].reply = async () => refused
    add(notified)
    await pass(91)
    expect(notifications).toEqual([])
  })

  it('is down on half of the servers: the notification says on how many, and which of them noticed', async () => {
    const { add, hosts, pass, notifications } = await serviceFixture({ machines: 4 })
    add(notified)
    await pass(61)
    for (const host of hosts.slice(0, 2)) host.reply = async () => refused
    await pass(91)
    expect(notifications.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^\[Down\] db: connection refused \(seen from web-[12]; down on 2 of 4 servers\)$/),
    ])
    for (const host of hosts.slice(0, 2)) host.reply = async () => good
    await pass(91)
    expect(notifications[1]?.message).toMatch(
      /^\[Up\] db answers again \(seen from web-[12]; down on 1 of 4 servers\)\nafter /,
    )
  })

  it('is down when it is on the only server that may check, however many others are not permitted', async () => {
    const { add, hosts, pass, notifications } = await serviceFixture({ machines: 5 })
    for (const host of hosts) host.reply = async () => ({ outcome: 'not permitted', problem: 'disabled query sending' })
    if (hosts[3]) hosts[3].reply = async () => refused
    add(notified)
    await pass(91)
    expect(notifications).toHaveLength(1)
  })

  it('counts no result of a server that was moved to somebody else while it checked', async () => {
    const { add, hosts, pass, services, store, clock } = await serviceFixture({ machines: 2 })
    const servers = entityTable(store, server)
    servers.update(2, { user_id: 2 })
    let answer = (_: ProbeResult) => {}
    if (hosts[1]) hosts[1].reply = () => new Promise((resolve) => (answer = resolve))
    const id = add({ user_id: 2 })
    await services.checker.tick()
    clock.now += 100
    await services.checker.tick()
    await Promise.resolve()
    expect(hosts[1]?.asked).toHaveLength(1)
    servers.update(2, { user_id: 3 })
    answer(refused)
    await services.checker.idle()
    expect(services.checker.recentResultsOf(id)?.counts(clock.now)).toMatchObject({ down: 0, up: 0 })
    await pass(31)
    expect(hosts[1]?.asked).toHaveLength(1)
  })

  it('counts all results of the last 15 minutes, not only those of the last servers', async () => {
    const { add, pass, services, clock } = await serviceFixture({ machines: 50 })
    const id = add()
    await pass(61)
    expect(services.checker.recentResultsOf(id)?.counts(clock.now).up).toBeGreaterThanOrEqual(100)
    clock.now += 16 * 60_000
    expect(services.checker.recentResultsOf(id)?.counts(clock.now).up).toBe(0)
  })
})
