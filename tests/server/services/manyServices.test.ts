import { describe, expect, it, vi } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createIdSet } from '../../../server/services/serviceStatus.ts'
import { server } from '../../../src/schemas/server.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

describe('thousands of services', () => {
  it('are not begun all at once after a pause: what is left is begun a tick later, and nothing is lost', async () => {
    const { add, pass, services, clock, host, store } = await serviceFixture()
    store.transaction(() => {
      for (let count = 0; count < 2000; count++) add()
    })
    await pass(35)
    const before = host.asked.length
    expect(before).toBeGreaterThanOrEqual(2000)
    // As when something else has held up everything.
    clock.now += 40_000
    host.report({ at: new Date(clock.now) })
    await services.checker.tick()
    expect(host.asked.length - before).toBe(500)
    await services.checker.idle()
    for (let ticks = 0; ticks < 3; ticks++) {
      await services.checker.tick()
      await services.checker.idle()
    }
    expect(host.asked.length - before).toBe(2000)
  })

  it('let others work while they are begun', async () => {
    const { add, services, clock, host, store } = await serviceFixture()
    store.transaction(() => {
      for (let count = 0; count < 200; count++) add({ duration: 1 })
    })
    await services.checker.tick()
    clock.now += 2000
    host.report({ at: new Date(clock.now) })
    const before = host.asked.length
    host.reply = async () => {
      for (const end = performance.now() + 1; performance.now() < end; );
      return { outcome: 'up', delay: 1 }
    }
    const begun = services.checker.tick()
    let turns = 0
    const count = () => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    expect(host.asked.length - before).toBeLessThan(100)
    // A tick in between begins nothing twice.
    await services.checker.tick()
    await begun
    clearImmediate(timer)
    expect(host.asked.length - before).toBe(200)
    expect(turns).toBeGreaterThanOrEqual(4)
    await services.checker.idle()
  })

  it('cost nothing for servers that are not connected: those are looked at once a second, not for each service', async () => {
    const { add, pass, machines, store, host } = await serviceFixture()
    const servers = entityTable(store, server)
    store.transaction(() => {
      for (let count = 0; count < 500; count++) servers.insert({ uuid: `gone-${count}`, name: 'gone', user_id: 1 })
      for (let count = 0; count < 200; count++) add({ duration: 5 })
      for (let count = 0; count < 200; count++) add({ duration: 5, cover: 1, skip_servers: { 1: true } })
    })
    await pass(10)
    const looked = vi.spyOn(machines, 'connected')
    const before = host.asked.length
    await pass(10)
    expect(host.asked.length - before).toBeGreaterThanOrEqual(700)
    expect(looked.mock.calls.length).toBeLessThanOrEqual(11 * 501)
  })

  it('change one by one: only what was changed gets another time', async () => {
    const { add, pass, table, services, host, clock } = await serviceFixture()
    const ids = Array.from({ length: 50 }, () => add({ duration: 60 }))
    await pass(68)
    table.update(ids[0] as number, { name: 'renamed' })
    table.update(ids[1] as number, { duration: 1 })
    table.remove([ids[2] as number])
    await services.checker.tick()
    await services.checker.idle()
    const before = host.asked.length
    clock.now += 100
    await pass(3)
    // The others are planned for the next minute.
    expect(host.asked.length - before).toBeGreaterThanOrEqual(2)
    expect(host.asked.length - before).toBeLessThanOrEqual(4)
    expect(services.checker.statusOf(ids[2] as number)).toBeUndefined()
  })

  it('wait while answers of agents wait, and are checked all the same afterwards', async () => {
    let isLate = false
    const { add, pass, host } = await serviceFixture({ isLate: () => isLate })
    for (let count = 0; count < 20; count++) add({ duration: 10 })
    await pass(15)
    const before = host.asked.length
    isLate = true
    await pass(60)
    expect(host.asked.length).toBe(before)
    isLate = false
    await pass(11)
    expect(host.asked.length - before).toBeGreaterThanOrEqual(20)
    expect(host.asked.length - before).toBeLessThanOrEqual(45)
  })
})

it('a set of ids is one, whatever the ids are', () => {
  const set = createIdSet()
  const expected = new Set<number>()
  let random = 7
  const next = (below: number) => {
    random = (random * 48_271) % 2_147_483_647
    return random % below
  }
  for (let count = 0; count < 20_000; count++) {
    const id = next(10) === 0 ? next(2 ** 31) : next(500)
    expect(set.has(id)).toBe(expected.has(id))
    if (next(3) === 0) {
      set.delete(id)
      expected.delete(id)
    } else {
      set.add(id)
      expected.add(id)
    }
    expect(set.size()).toBe(expected.size)
  }
  expect([...set.ids()].sort((one, other) => one - other)).toEqual([...expected].sort((one, other) => one - other))
})
