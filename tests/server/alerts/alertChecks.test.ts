import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { alarmLimits, openAlarms } from '../../../server/alerts/alarms.ts'
import { batchLimits, createAlerts } from '../../../server/alerts/alerts.ts'
import { openSavedState } from '../../../server/alerts/savedState.ts'
import { openStore, type Store } from '../../../server/db/store.ts'
import { entityTable, type Row } from '../../../server/entities/entityTable.ts'
import type { OutgoingNotification } from '../../../server/notifications/notifications.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import { server } from '../../../src/schemas/server.ts'
import { alertFixture, noon } from '../../support/server/fixtures/alertFixture.ts'

interface Fleet {
  store: Store
  clock: { now: number }
  /** Percent, the same in all reports. */
  cpu: number
  notifications: OutgoingNotification[]
  errors: unknown[]
  /** How often a machine was read. */
  reads: number
  check(): Promise<void>
  alerts: ReturnType<typeof createAlerts>
}

/** Rules with three samples about the CPU load of many connected machines. */
function fleet(servers: number, rules: number): Fleet {
  const store = openStore(':memory:')
  store.transaction(() => {
    const rows = entityTable(store, server)
    for (let id = 1; id <= servers; id++) rows.insert({ uuid: `machine-${id}`, name: `web-${id}`, user_id: 1 })
    const rule = { enable: true, trigger_mode: 1, user_id: 1, updated_at: 'once' }
    const parts = [{ type: 'cpu', max: 90, duration: 3, cover: 0 }]
    for (let id = 1; id <= rules; id++) entityTable(store, alertRule).insert({ ...rule, name: `${id}`, rules: parts })
  })
  const state = { store, clock: { now: noon }, cpu: 5, notifications: [], errors: [], reads: 0 }
  const onError = (error: unknown) => state.errors.push(error as never)
  const alerts = createAlerts({
    store,
    machines: {
      connected() {
        state.reads++
        return {} as never
      },
      wireReport: () => ({ host: {}, state: { cpu: state.cpu }, geoip: { ip: {} }, last_active: '' }),
    },
    alarms: openAlarms(store, onError),
    notifications: { send: (notification) => state.notifications.push(notification as never) },
    roleOf: () => 0,
    trigger() {},
    addressOf: (_: Row) => '',
    zone: 'UTC',
    now: () => state.clock.now,
    log: { error: (_, error) => onError(error) },
  })
  const check = () => {
    state.clock.now += 3000
    return alerts.check()
  }
  return Object.assign(state, { alerts, check })
}

/** The maximum growth of `count` between two turns of the event loop. */
async function maxInOneTurn(work: Promise<void>, count: () => number): Promise<number> {
  let max = 0
  let before = count()
  let isOver = false
  const measure = () => {
    max = Math.max(max, count() - before)
    before = count()
    if (!isOver) setImmediate(measure)
  }
  setImmediate(measure)
  await work
  isOver = true
  return Math.max(max, count() - before)
}

describe('checks of a thousand machines and twenty rules', () => {
  it('yield to the event loop after a thousand evaluations', async () => {
    const large = fleet(1000, 20)
    await large.check()
    const before = large.reads
    const max = await maxInOneTurn(large.check(), () => large.reads)
    expect(large.reads - before).toBe(1000)
    expect(max * 20).toBeLessThanOrEqual(batchLimits.evaluations)
    expect(large.errors).toEqual([])
  })

  it('yield to the event loop while twenty thousand alarms begin', async () => {
    const large = fleet(1000, 20)
    large.cpu = 95
    await large.check()
    await large.check()
    const max = await maxInOneTurn(large.check(), () => large.notifications.length)
    expect(large.notifications).toHaveLength(20_000)
    // All rules of a machine are evaluated in one turn.
    expect(max).toBeLessThan(batchLimits.changes + 20)
    expect(large.errors).toEqual([])
  })

  it('write one small row when nothing changes, whatever the number of machines', async () => {
    const large = fleet(1000, 20)
    // Until the windows are full, and each rule has had its turn to save that.
    for (let check = 0; check < 24; check++) await large.check()
    const savedState = large.store.resident<{ id: number; name: string; data: string }>({
      name: 'alert-state',
      columns: [],
    })
    const before = new Set(savedState.all())
    await large.check()
    expect(savedState.all().filter((row) => !before.has(row))).toHaveLength(1)
    const { length } = large.store.transaction(() => JSON.stringify(savedState.all()))
    expect(length).toBeLessThan(5000)
  })
})

describe('checks without an enabled rule', () => {
  it('read no machine until a rule is enabled', async () => {
    const idle = fleet(1000, 1)
    const rules = entityTable(idle.store, alertRule)
    rules.update(1, { enable: false, updated_at: 'off' })
    await idle.check()
    expect(idle.reads).toBe(0)
    rules.update(1, { enable: true, updated_at: 'on' })
    await idle.check()
    expect(idle.reads).toBe(1000)
    expect(idle.errors).toEqual([])
  })
})

describe('the history of alarms', () => {
  it('deletes ended alarms, oldest first, when they are too many or too old', async () => {
    const store = openStore(':memory:')
    const alarms = openAlarms(store, () => {})
    const fired = { rule_version: '', rule_name: 'r', server_name: 's', causes: [], notified: false, owner_id: 1 }
    const open = (id: number, started_at: number) => alarms.open({ ...fired, rule_id: id, server_id: 1, started_at })
    store.transaction(() => {
      open(1, noon)
      for (let id = 2; id <= alarmLimits.count + 3; id++) alarms.close(open(id, noon), noon + id, false)
    })
    alarms.removeOld(noon + 10_000)
    // The first one is the oldest, but still running.
    expect(alarms.all()[0]).toMatchObject({ id: 1, ended_at: null })
    expect(alarms.all()).toHaveLength(alarmLimits.count + 1)
    expect(alarms.all().at(-1)?.id).toBe(4)
    alarms.removeOld(noon + 100 + alarmLimits.ageMs)
    expect(alarms.all().at(-1)?.id).toBe(100)
    expect(openAlarms(store, () => {}).all()).toEqual(alarms.all())
  })

  it('runs an alarm that cannot be saved on a full disk, and notifies once', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, duration: 3 }])
    await fixture.checks(2, () => [{ state: { cpu: 95 } }])
    const insert = vi.spyOn(fixture.store.table({ name: 'alarm', columns: [] }), 'insert').mockImplementation(() => {
      throw new Error('database or disk is full')
    })
    onTestFinished(() => insert.mockRestore())
    await fixture.checks(3, () => [{ state: { cpu: 95 } }])
    expect(fixture.notifications).toHaveLength(1)
    expect(fixture.errors).toEqual([new Error('database or disk is full')])
  })
})

describe('the saved state', () => {
  it('is written under its own name once a full disk has space again', () => {
    const store = openStore(':memory:')
    const savedState = openSavedState(store)
    const full = new Error('database or disk is full')
    const table = store.table({ name: 'alert-state', columns: [] })
    const { insert } = table
    vi.spyOn(table, 'insert')
      .mockImplementationOnce(insert)
      .mockImplementationOnce(() => {
        throw full
      })
    savedState.set('alert 1', 'one')
    savedState.set('alert 2', 'two')
    expect(savedState.flush).toThrow(full)
    for (const value of ['three', 'drei']) {
      savedState.set('alert 3', value)
      savedState.set('alert 1', `one, ${value}`)
      expect(savedState.flush()).toBe(false)
    }
    const next = openSavedState(store)
    expect(next.names().map((name) => next.read(name))).toEqual(['one, drei', 'two', 'drei'])
  })
})

describe('the timer of alert rules', () => {
  it('checks ten seconds after the start, then every three seconds, until it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const small = fleet(1, 1)
    const settle = () => new Promise((resolve) => setImmediate(resolve))
    const pass = async (ms: number) => {
      vi.advanceTimersByTime(ms)
      // More than a check takes: it leaves some of them to connections, also of servers of other tests.
      for (let turn = 0; turn < 1000; turn++) await settle()
      return small.reads
    }
    small.alerts.start()
    expect(await pass(9_999)).toBe(0)
    expect(await pass(1)).toBe(1)
    expect(await pass(2_999)).toBe(1)
    expect(await pass(1)).toBe(2)
    // Setting the clock has no effect.
    small.clock.now -= 86_400_000
    expect(await pass(3_000)).toBe(3)
    await small.alerts.stop()
    expect(await pass(60_000)).toBe(3)
  })
})
