import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { writeSite } from '../../../server/site/site.ts'
import { server } from '../../../src/schemas/server.ts'
import { alarmsOf, alertFixture, messagesOf, noon } from '../../support/server/fixtures/alertFixture.ts'

/** A report with this CPU load. */
const load = (cpu: number) => ({ state: { cpu } })
const always = (cpu: number) => () => [load(cpu)]

describe('an alert', () => {
  it('fires when more than 70 % of the last samples failed, and not before there are enough', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, duration: 10 }])
    await fixture.checks(9, always(95))
    expect(messagesOf(fixture)).toEqual([])
    await fixture.checks(1, always(95))
    expect(messagesOf(fixture)).toEqual(['[Incident] web-1(10.****.1) rule'])
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
  })

  it('speaks the language that the site has at that moment', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, duration: 3 }])
    writeSite(fixture.store, { language: 'de-DE' })
    await fixture.checks(3, always(95))
    writeSite(fixture.store, { language: 'it' })
    await fixture.checks(3, always(1))
    expect(messagesOf(fixture)).toEqual(['[Alarm] web-1(10.****.1) rule', '[Risolto] web-1(10.****.1) rule'])
  })

  it('recovers when no more than 70 % of the samples fail', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, duration: 10 }], { recover_trigger_tasks: [7], fail_trigger_tasks: [5, 6] })
    await fixture.checks(10, always(95))
    await fixture.checks(2, always(10))
    expect(messagesOf(fixture)).toHaveLength(1)
    await fixture.checks(1, always(10))
    expect(messagesOf(fixture)).toEqual(['[Incident] web-1(10.****.1) rule', '[Resolved] web-1(10.****.1) rule'])
    expect(fixture.notifications.map(({ groupId, serverId }) => [groupId, serverId])).toEqual([
      [4, 1],
      [4, 1],
    ])
    expect(fixture.triggered).toEqual([
      { ids: [5, 6], server: 1, ownerId: 1 },
      { ids: [7], server: 1, ownerId: 1 },
    ])
    expect(fixture.alarms.all()).toEqual([
      expect.objectContaining({
        causes: [{ type: 'cpu', value: 95, max: 90 }],
        started_at: noon + 30_000,
        ended_at: noon + 39_000,
        withdrawn: false,
      }),
    ])
  })

  it('notifies at every check while it fails, or once, and triggers its tasks once', async () => {
    const fixture = alertFixture()
    const rules = [{ type: 'cpu', max: 90, duration: 3 }]
    fixture.rule(rules, { name: 'always', trigger_mode: 0, fail_trigger_tasks: [5] })
    fixture.rule(rules, { name: 'once', trigger_mode: 1, fail_trigger_tasks: [6] })
    await fixture.checks(6, always(95))
    const countOf = (name: string) => messagesOf(fixture).filter((message) => message.endsWith(name)).length
    expect([countOf('always'), countOf('once')]).toEqual([4, 1])
    expect(fixture.triggered.map(({ ids }) => ids[0])).toEqual([5, 6])
    // One key for each alarm, which the notification of its end resolves.
    expect(new Set(fixture.notifications.map(({ repeatKey }) => repeatKey))).toEqual(new Set(['alarm 1', 'alarm 2']))
    await fixture.checks(1, always(1))
    expect(fixture.notifications.slice(-2).map(({ repeatKey, resolvesKey }) => [repeatKey, resolvesKey])).toEqual([
      [undefined, 'alarm 1'],
      [undefined, 'alarm 2'],
    ])
  })

  it('with several rules fires when all of them fail together', async () => {
    const fixture = alertFixture()
    fixture.rule([
      { type: 'cpu', max: 90, duration: 3 },
      { type: 'load1', max: 4, duration: 5 },
    ])
    const both = (cpu: number, load_1: number) => () => [{ state: { cpu, load_1 } }]
    await fixture.checks(10, both(95, 1))
    await fixture.checks(10, both(1, 9))
    expect(messagesOf(fixture)).toEqual([])
    await fixture.checks(2, both(95, 9))
    expect(messagesOf(fixture)).toEqual([])
    await fixture.checks(1, both(95, 9))
    expect(messagesOf(fixture)).toHaveLength(1)
    expect(fixture.alarms.all()[0]?.causes).toEqual([
      { type: 'cpu', value: 95, max: 90 },
      { type: 'load1', value: 9, max: 4 },
    ])
    await fixture.checks(1, both(1, 9))
    expect(messagesOf(fixture)).toHaveLength(2)
  })

  it('for offline machines fires when there was no report in any of the samples', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'offline', duration: 4 }])
    await fixture.checks(4, always(5))
    // It counts as connected for 6 s after its last report, so for two more checks.
    await fixture.checks(5)
    expect(messagesOf(fixture)).toEqual([])
    await fixture.checks(1)
    expect(messagesOf(fixture)).toEqual(['[Incident] web-1(10.****.1) rule'])
    expect(fixture.alarms.all()[0]?.causes).toEqual([{ type: 'offline' }])
    await fixture.checks(1, always(5))
    expect(messagesOf(fixture)).toHaveLength(2)
  })

  it('about load is not repeated while the machine is offline, and goes on when it is back', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, duration: 3 }], { trigger_mode: 0 })
    await fixture.checks(3, always(95))
    const told = () => fixture.notifications.length
    expect(told()).toBe(1)
    await fixture.checks(3)
    // It counts as offline two samples after the last report.
    const before = told()
    await fixture.checks(20)
    expect(told()).toBe(before)
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: paused'])
    expect(fixture.alerts.firing().size).toBe(0)
    fixture.restart()
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: paused'])
    await fixture.checks(4, always(95))
    expect(told()).toBeGreaterThan(before)
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
  })

  it('about load that has ended while the machine was offline recovers when it is back', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, duration: 3 }])
    await fixture.checks(3, always(95))
    await fixture.checks(20)
    await fixture.checks(4, always(1))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: over'])
    expect(messagesOf(fixture)).toHaveLength(2)
  })

  it('about more than load is not paused while the machine is offline', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'offline', duration: 3 }])
    await fixture.checks(3, always(1))
    await fixture.checks(20)
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
  })

  it('keeps its state while the machine is offline, and drops old samples after a long gap', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, duration: 3 }])
    await fixture.checks(3, always(95))
    await fixture.checks(20)
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: paused'])
    await fixture.checks(2, always(1))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
    await fixture.checks(1, always(1))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: over'])
  })

  it.each([
    ['gpu_max', { max: 50 }],
    ['temperature_max', { max: 50 }],
    ['gpu_max', { min: 50 }],
    ['temperature_max', { min: 50 }],
    ['fan_speed', { max: 1 }],
    ['fan_speed_cycle', { max: 1, cycle_start: '2026-11-01T00:00:00Z', cycle_interval: 1 }],
    ['cpu', { max: 0, min: 0 }],
  ])('never fires by %s %o on a machine without this metric', async (type, bounds) => {
    const fixture = alertFixture()
    fixture.rule([{ type, duration: 3, ...bounds }])
    await fixture.checks(6, () => [{ state: { cpu: 99, temperatures: [{ Name: 'cpu', Temperature: 0 }] } }])
    expect([messagesOf(fixture), fixture.errors]).toEqual([[], []])
  })

  it('covers all servers except the listed ones, or only the listed ones', async () => {
    const fixture = alertFixture({ servers: 3 })
    const rule = { type: 'cpu', max: 90, duration: 3 }
    fixture.rule([{ ...rule, cover: 0, ignore: { 1: true, 2: false } }], { name: 'all but 1' })
    fixture.rule([{ ...rule, cover: 1, ignore: { 1: true, 2: false } }], { name: 'only 1' })
    await fixture.checks(3, () => [load(95), load(95), load(95)])
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 3: running', 'rule 1 on 2: running', 'rule 2 on 1: running'])
  })

  it("of a member covers only the member's own servers", async () => {
    const fixture = alertFixture({ servers: 3 })
    entityTable(fixture.store, server).update(2, { user_id: 9 })
    fixture.rule([{ type: 'cpu', max: 90, duration: 3 }], { user_id: 9, fail_trigger_tasks: [5] })
    await fixture.checks(3, () => [load(95), load(95), load(95)])
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 2: running'])
    expect(fixture.triggered).toEqual([{ ids: [5], server: 2, ownerId: 9 }])
    // With another owner the alarm is withdrawn, without a notification about recovery.
    entityTable(fixture.store, server).update(2, { user_id: 8 })
    await fixture.checks(1, () => [load(95), load(95), load(95)])
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 2: withdrawn'])
    expect(messagesOf(fixture)).toHaveLength(1)
  })

  it('is reset when it is edited, and its alarm is withdrawn without a notification', async () => {
    const fixture = alertFixture()
    const id = fixture.rule([{ type: 'cpu', max: 90, duration: 3 }])
    await fixture.checks(3, always(95))
    fixture.edit(id, { rules: [{ type: 'cpu', max: 80, duration: 3 }] })
    await fixture.checks(2, always(95))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: withdrawn'])
    expect(messagesOf(fixture)).toHaveLength(1)
    await fixture.checks(1, always(95))
    expect(messagesOf(fixture)).toHaveLength(2)
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running', 'rule 1 on 1: withdrawn'])
  })

  it.each([
    ['disabled', { enable: false }],
    ['deleted', undefined],
  ])('withdraws its alarm when it is %s', async (_, changes) => {
    const fixture = alertFixture()
    const id = fixture.rule([{ type: 'cpu', max: 90, duration: 3 }])
    await fixture.checks(3, always(95))
    if (changes) fixture.edit(id, changes)
    else fixture.store.table({ name: 'alert-rule', columns: [] }).remove([id])
    await fixture.checks(5, always(1))
    expect(messagesOf(fixture)).toHaveLength(1)
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: withdrawn'])
  })

  it('withdraws its alarm when the server is deleted', async () => {
    const fixture = alertFixture({ servers: 2 })
    fixture.rule([{ type: 'offline', duration: 3 }])
    await fixture.checks(3)
    entityTable(fixture.store, server).remove([1])
    await fixture.checks(1)
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 2: running', 'rule 1 on 1: withdrawn'])
    expect(messagesOf(fixture)).toHaveLength(2)
  })

  it('keeps its samples across restarts', async () => {
    const fixture = alertFixture({ servers: 2 })
    fixture.rule([{ type: 'cpu', max: 90, duration: 10 }])
    for (let check = 0; check < 9; check++) {
      await fixture.checks(1, () => [load(95), load(1)])
      fixture.restart()
    }
    expect(messagesOf(fixture)).toEqual([])
    await fixture.checks(1, () => [load(95), load(1)])
    expect(messagesOf(fixture)).toEqual(['[Incident] web-1(10.****.1) rule'])
    fixture.restart()
    await fixture.checks(7, () => [load(95), load(95)])
    expect(messagesOf(fixture)).toHaveLength(1)
    fixture.restart()
    // The eighth of ten samples: those that the other machine had passed are restored too.
    await fixture.checks(1, () => [load(95), load(95)])
    expect(messagesOf(fixture)).toEqual(['[Incident] web-1(10.****.1) rule', '[Incident] web-2(10.****.2) rule'])
  })

  it('notifies once about start and end of an alarm across restarts', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'offline', duration: 3 }])
    await fixture.checks(3)
    fixture.restart()
    await fixture.checks(3)
    fixture.restart()
    expect(messagesOf(fixture)).toHaveLength(1)
    await fixture.checks(1, always(1))
    expect(messagesOf(fixture)).toEqual(['[Incident] web-1(10.****.1) rule', '[Resolved] web-1(10.****.1) rule'])
  })

  it('drops samples from before a long stop of the server', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, duration: 4 }])
    await fixture.checks(3, always(95))
    fixture.restart()
    fixture.clock.now += 3_600_000
    await fixture.checks(3, always(95))
    expect(messagesOf(fixture)).toEqual([])
    await fixture.checks(1, always(95))
    expect(messagesOf(fixture)).toHaveLength(1)
  })
})
