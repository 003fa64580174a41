import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { alarmLimits, openAlarms } from '../../../server/alerts/alarms.ts'
import { batchLimits, createAlerts } from '../../../server/alerts/alerts.ts'
import { openSavedState } from '../../../server/alerts/savedState.ts'
import { openStore, type Store } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { Row } from '../../../server/entities/row.ts'
import type { OutgoingNotification } from '../../../server/notifications/notifications.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import { server } from '../../../src/schemas/server.ts'
import { alertScene, noon } from '../../support/server/scenes/alertScene.ts'

interface Fleet {
  store: Store
  clock: { now: number }
  /** Percent; all machines tell the same. */
  cpu: number
  notices: OutgoingNotification[]
  errors: unknown[]
  /** How many machines were asked. */
  asked: number
  check(): Promise<void>
  alerts: ReturnType<typeof createAlerts>
}

/** Rules of three samples on the load of many machines that always report. */
function fleet(servers: number, rules: number): Fleet {
  const store = openStore(':memory:')
  store.transaction(() => {
    const rows = entityTable(store, server)
    for (let id = 1; id <= servers; id++) rows.insert({ uuid: `machine-${id}`, name: `web-${id}`, user_id: 1 })
    const rule = { enable: true, trigger_mode: 1, user_id: 1, updated_at: 'once' }
    const parts = [{ type: 'cpu', max: 90, duration: 3, cover: 0 }]
    for (let id = 1; id <= rules; id++) entityTable(store, alertRule).insert({ ...rule, name: `${id}`, rules: parts })
  })
  const made = { store, clock: { now: noon }, cpu: 5, notices: [], errors: [], asked: 0 }
  const onError = (error: unknown) => made.errors.push(error as never)
  const alerts = createAlerts({
    store,
    machines: {
      connected() {
        made.asked++
        return {} as never
      },
      wireReport: () => ({ host: {}, state: { cpu: made.cpu }, geoip: { ip: {} }, last_active: '' }),
    },
    alarms: openAlarms(store, onError),
    notifications: { send: (notice) => made.notices.push(notice as never) },
    ...{ roleOf: () => 0, trigger() {}, addressOf: (_: Row) => '', zone: 'UTC', now: () => made.clock.now },
    log: { error: (_, error) => onError(error) },
  })
  const check = () => {
    made.clock.now += 3000
    return alerts.check()
  }
  return Object.assign(made, { alerts, check })
}

/** The most that `count` grew by before others had their turn. */
async function mostInOneTurn(work: Promise<void>, count: () => number): Promise<number> {
  let most = 0
  let before = count()
  let isOver = false
  const look = () => {
    most = Math.max(most, count() - before)
    before = count()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work
  isOver = true
  return Math.max(most, count() - before)
}

describe('the watch over a thousand machines and twenty rules', () => {
  it('lets others have their turn after a thousand judgements', async () => {
    const many = fleet(1000, 20)
    await many.check()
    const before = many.asked
    const most = await mostInOneTurn(many.check(), () => many.asked)
    expect(many.asked - before).toBe(1000)
    expect(most * 20).toBeLessThanOrEqual(batchLimits.evaluations)
    expect(many.errors).toEqual([])
  })

  it('lets others have their turn while twenty thousand alarms begin', async () => {
    const many = fleet(1000, 20)
    many.cpu = 95
    await many.check()
    await many.check()
    const most = await mostInOneTurn(many.check(), () => many.notices.length)
    expect(many.notices).toHaveLength(20_000)
    // A machine is judged by all rules in one go.
    expect(most).toBeLessThan(batchLimits.changes + 20)
    expect(many.errors).toEqual([])
  })

  it('writes one small row for a check in which nothing happens, whatever the number of machines', async () => {
    const many = fleet(1000, 20)
    for (const _ of [1, 2, 3, 4]) await many.check()
    const kept = many.store.table<{ id: number; name: string; data: string }>({ name: 'alert-state', columns: [] })
    const before = kept.version()
    await many.check()
    expect(kept.version() - before).toBe(1)
    const { length } = many.store.transaction(() => JSON.stringify(kept.all()))
    expect(length).toBeLessThan(5000)
  })
})

describe('the watch without an enabled rule', () => {
  it('asks no machine, until a rule is enabled', async () => {
    const idle = fleet(1000, 1)
    const rules = entityTable(idle.store, alertRule)
    rules.update(1, { enable: false, updated_at: 'off' })
    await idle.check()
    expect(idle.asked).toBe(0)
    rules.update(1, { enable: true, updated_at: 'on' })
    await idle.check()
    expect(idle.asked).toBe(1000)
    expect(idle.errors).toEqual([])
  })
})

describe('the history of alarms', () => {
  it('lets go what is over, the oldest first, when there are too many or they are too old', async () => {
    const store = openStore(':memory:')
    const alarms = openAlarms(store, () => {})
    const fired = { rule_version: '', rule_name: 'r', server_name: 's', causes: [], notified: false, owner_id: 1 }
    const open = (id: number, started_at: number) => alarms.open({ ...fired, rule_id: id, server_id: 1, started_at })
    store.transaction(() => {
      open(1, noon)
      for (let id = 2; id <= alarmLimits.count + 3; id++) alarms.close(open(id, noon), noon + id, false)
    })
    alarms.removeOld(noon + 10_000)
    // The first one is the oldest, and runs.
    expect(alarms.all()[0]).toMatchObject({ id: 1, ended_at: null })
    expect(alarms.all()).toHaveLength(alarmLimits.count + 1)
    expect(alarms.all().at(-1)?.id).toBe(4)
    alarms.removeOld(noon + 100 + alarmLimits.ageMs)
    expect(alarms.all().at(-1)?.id).toBe(100)
    expect(openAlarms(store, () => {}).all()).toEqual(alarms.all())
  })

  it('has an alarm running once where the disk is full, and tells of it once', async () => {
    const scene = alertScene()
    scene.rule([{ type: 'cpu', max: 90, duration: 3 }])
    await scene.checks(2, () => [{ state: { cpu: 95 } }])
    const insert = vi.spyOn(scene.store.table({ name: 'alarm', columns: [] }), 'insert').mockImplementation(() => {
      throw new Error('database or disk is full')
    })
    onTestFinished(() => insert.mockRestore())
    await scene.checks(3, () => [{ state: { cpu: 95 } }])
    expect(scene.notices).toHaveLength(1)
    expect(scene.errors).toEqual([new Error('database or disk is full')])
  })
})

describe('what the watch keeps', () => {
  it('is written under its own name once a full disk has room again', () => {
    const store = openStore(':memory:')
    const kept = openSavedState(store)
    const full = new Error('database or disk is full')
    const table = store.table({ name: 'alert-state', columns: [] })
    const { insert } = table
    vi.spyOn(table, 'insert')
      .mockImplementationOnce(insert)
      .mockImplementationOnce(() => {
        throw full
      })
    kept.set('alert 1', 'one')
    kept.set('alert 2', 'two')
    expect(kept.flush).toThrow(full)
    for (const value of ['three', 'drei']) {
      kept.set('alert 3', value)
      kept.set('alert 1', `one, ${value}`)
      expect(kept.flush()).toBe(false)
    }
    const next = openSavedState(store)
    expect(next.names().map((name) => next.read(name))).toEqual(['one, drei', 'two', 'drei'])
  })
})

describe('the timer of alert rules', () => {
  it('checks ten seconds after the start, then every three, and no more after the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const few = fleet(1, 1)
    const settle = () => new Promise((resolve) => setImmediate(resolve))
    const pass = async (ms: number) => {
      vi.advanceTimersByTime(ms)
      for (let turn = 0; turn < 10; turn++) await settle()
      return few.asked
    }
    few.alerts.start()
    expect(await pass(9_999)).toBe(0)
    expect(await pass(1)).toBe(1)
    expect(await pass(2_999)).toBe(1)
    expect(await pass(1)).toBe(2)
    // A clock that somebody sets changes nothing.
    few.clock.now -= 86_400_000
    expect(await pass(3_000)).toBe(3)
    await few.alerts.stop()
    expect(await pass(60_000)).toBe(3)
    expect(vi.getTimerCount()).toBe(0)
  })
})
