import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { ProbeResult } from '../../../server/machines/hosts/probe.ts'
import { openOutages, outageLimits } from '../../../server/services/outages.ts'
import { server } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

const refused: ProbeResult = { outcome: 'down', problem: 'dial tcp db.example:5432: connection refused' }
const good = (delay = 1): ProbeResult => ({ outcome: 'up', delay })

describe('a service', () => {
  it('is checked at its interval by every connected server', async () => {
    const { pass, add, hosts } = await serviceFixture({ machines: 2 })
    add({ type: 1, target: 'https://example.com' })
    await pass(91)
    for (const host of hosts) {
      expect(host.asked.length).toBeGreaterThanOrEqual(3)
      expect(host.asked.length).toBeLessThanOrEqual(4)
      expect(host.asked[0]).toEqual({ type: 'http', target: 'https://example.com' })
    }
  })

  it('is checked only by connected servers that it covers', async () => {
    const { pass, add, hosts, machines } = await serviceFixture({ machines: 3 })
    add({ target: 'a:1', skip_servers: { 1: true, 2: false } })
    add({ target: 'b:1', cover: 1, skip_servers: { 1: true, 2: false } })
    await pass(31)
    const targets = hosts.map(({ asked }) => [...new Set(asked.map(({ target }) => target))])
    expect(targets).toEqual([['b:1'], ['a:1'], ['a:1']])
    await machines.stop()
    for (const host of hosts) host.asked = []
    await pass(0)
    expect(hosts.map(({ asked }) => asked.length)).toEqual([0, 0, 0])
  })

  it("of a member is checked by the member's own servers, without private targets", async () => {
    const { pass, add, hosts, store } = await serviceFixture({ machines: 2 })
    entityTable(store, server).update(2, { user_id: 2 })
    const reach: boolean[] = []
    for (const host of hosts) {
      host.reply = async (_, { allowPrivate }) => {
        reach.push(allowPrivate)
        return good()
      }
    }
    add({ user_id: 2 })
    await pass(20)
    expect(hosts.map(({ asked }) => asked.length)).toEqual([0, 1])
    expect(reach).toEqual([false])
  })

  it('whose server never sends a result does not hold up the end of this server', async () => {
    const { add, host, services, clock } = await serviceFixture()
    host.reply = () => new Promise(() => {})
    add({ duration: 1 })
    for (let tenth = 0; tenth < 20; tenth++) {
      clock.now += 100
      await services.checker.tick()
    }
    expect(host.asked).toHaveLength(1)
    const start = performance.now()
    await services.checker.stop()
    expect(performance.now() - start).toBeLessThan(30_000)
  })

  it('that does not answer is not checked again before the first check has ended', async () => {
    const { add, host, services, clock, pass } = await serviceFixture()
    let answer = (_: ProbeResult) => {}
    host.reply = () => new Promise((resolve) => (answer = resolve))
    add({ duration: 5 })
    for (let n = 0; n < 300; n++) {
      clock.now += 100
      if (n % 20 === 0) host.report({ at: new Date(clock.now) })
      await services.checker.tick()
    }
    await Promise.resolve()
    expect(host.asked).toHaveLength(1)
    answer(good())
    host.reply = async () => good()
    await services.checker.idle()
    await pass(6)
    expect(host.asked.length).toBeGreaterThan(1)
  })
})

describe('the outages of a service', () => {
  it('have beginning, cause, server and end, latest first', async () => {
    const { pass, add, host, services, clock } = await serviceFixture()
    add({})
    await pass(61)
    expect(services.checker.outagesOf(1)).toEqual([])
    host.reply = async () => refused
    await pass(200)
    const [first] = services.checker.outagesOf(1)
    expect(first).toMatchObject({ problem: refused.problem, server_name: 'web-1', ended_at: null })
    host.reply = async () => good()
    await pass(200)
    const [ended] = services.checker.outagesOf(1)
    expect(Number(ended?.ended_at) - Number(ended?.started_at)).toBeGreaterThan(100_000)
    expect(Number(ended?.ended_at)).toBeLessThan(clock.now)
    host.reply = async () => refused
    await pass(200)
    expect(services.checker.outagesOf(1).map(({ id }) => id)).toEqual([2, 1])
  })

  it('are at most 200, and are deleted with the service', async () => {
    const { pass, add, host, services, store } = await serviceFixture()
    const outages = openOutages(store, (error) => {
      throw error
    })
    add({})
    for (let n = 0; n < outageLimits.count + 5; n++) {
      outages.begin(1, { started_at: n * 1000, problem: 'x'.repeat(1000), server_name: 'web-1' })
      outages.end(1, n * 1000 + 500)
    }
    expect(outages.of(1)).toHaveLength(outageLimits.count)
    expect(outages.of(1)[0]).toMatchObject({ started_at: (outageLimits.count + 4) * 1000, problem: 'x'.repeat(500) })
    // Old ones go when the next begins.
    host.reply = async () => refused
    await pass(200)
    expect(services.checker.outagesOf(1)).toHaveLength(1)
    entityTable(store, service).remove([1])
    await pass(1)
    expect(outages.of(1)).toEqual([])
  })
})

describe('many services', () => {
  it('are checked on time: 5,000 at 30 s, of which a third does not answer for ten seconds', async () => {
    const { services, add, host, late, clock, store } = await serviceFixture()
    store.transaction(() => {
      for (let id = 0; id < 5000; id++) add({ target: `host-${id}:1` })
    })
    const waiting: { end: number; resolve: (result: ProbeResult) => void }[] = []
    host.reply = async ({ target }) => {
      if (Number(/\d+/.exec(target)) % 3 > 0) return good()
      return new Promise((resolve) => waiting.push({ end: clock.now + 10_000, resolve }))
    }
    for (let tenths = 0; tenths < 900; tenths++) {
      clock.now += 100
      if (tenths % 20 === 0) host.report({ at: new Date(clock.now) })
      while (waiting[0] && waiting[0].end <= clock.now) waiting.shift()?.resolve(refused)
      await services.checker.tick()
      await new Promise(setImmediate)
    }
    for (const { resolve } of waiting) resolve(refused)
    expect(late.length).toBeGreaterThan(13_500)
    expect(Math.max(...late)).toBeLessThanOrEqual(200)
  })
})
