import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { server } from '../../../src/schemas/server.ts'
import { alarmsOf, alertScene, noon, said } from '../../support/server/scenes/alertScene.ts'

/** What a machine tells with this load. */
const load = (cpu: number) => ({ state: { cpu } })
const always = (cpu: number) => () => [load(cpu)]

describe('an alert', () => {
  it('fires when more than 70 % of the last samples failed, and not before there are enough', async () => {
    const scene = alertScene()
    scene.rule([{ type: 'cpu', max: 90, duration: 10 }])
    await scene.checks(9, always(95))
    expect(said(scene)).toEqual([])
    await scene.checks(1, always(95))
    expect(said(scene)).toEqual(['[Incident] web-1(10.****.1) rule'])
    expect(alarmsOf(scene)).toEqual(['rule 1 on 1: running'])
  })

  it('has recovered when no more than 70 % of them fail', async () => {
    const scene = alertScene()
    scene.rule([{ type: 'cpu', max: 90, duration: 10 }], { recover_trigger_tasks: [7], fail_trigger_tasks: [5, 6] })
    await scene.checks(10, always(95))
    await scene.checks(2, always(10))
    expect(said(scene)).toHaveLength(1)
    await scene.checks(1, always(10))
    expect(said(scene)).toEqual(['[Incident] web-1(10.****.1) rule', '[Resolved] web-1(10.****.1) rule'])
    expect(scene.notices.map(({ groupId, serverId }) => [groupId, serverId])).toEqual([
      [4, 1],
      [4, 1],
    ])
    expect(scene.triggered).toEqual([
      { ids: [5, 6], server: 1, ownerId: 1 },
      { ids: [7], server: 1, ownerId: 1 },
    ])
    expect(scene.alarms.all()).toEqual([
      expect.objectContaining({
        causes: [{ type: 'cpu', value: 95, max: 90 }],
        started_at: noon + 30_000,
        ended_at: noon + 39_000,
        withdrawn: false,
      }),
    ])
  })

  it('tells at every check while it fails, or once', async () => {
    const scene = alertScene()
    const rules = [{ type: 'cpu', max: 90, duration: 3 }]
    scene.rule(rules, { name: 'always', trigger_mode: 0, fail_trigger_tasks: [5] })
    scene.rule(rules, { name: 'once', trigger_mode: 1, fail_trigger_tasks: [6] })
    await scene.checks(6, always(95))
    const told = (name: string) => said(scene).filter((message) => message.endsWith(name)).length
    expect([told('always'), told('once')]).toEqual([4, 1])
    expect(scene.triggered.map(({ ids }) => ids[0])).toEqual([5, 6, 5, 5, 5])
    // One trouble, one key: what repeats itself is muted by it, and let go when it is over.
    expect(new Set(scene.notices.map(({ repeatKey: muteKey }) => muteKey))).toEqual(new Set(['alarm 1', 'alarm 2']))
    await scene.checks(1, always(1))
    expect(scene.notices.slice(-2).map(({ repeatKey: muteKey, resolvesKey: unmutes }) => [muteKey, unmutes])).toEqual([
      [undefined, 'alarm 1'],
      [undefined, 'alarm 2'],
    ])
  })

  it('of several rules fires when all of them fail together', async () => {
    const scene = alertScene()
    scene.rule([
      { type: 'cpu', max: 90, duration: 3 },
      { type: 'load1', max: 4, duration: 5 },
    ])
    const both = (cpu: number, load_1: number) => () => [{ state: { cpu, load_1 } }]
    await scene.checks(10, both(95, 1))
    await scene.checks(10, both(1, 9))
    expect(said(scene)).toEqual([])
    await scene.checks(2, both(95, 9))
    expect(said(scene)).toEqual([])
    await scene.checks(1, both(95, 9))
    expect(said(scene)).toHaveLength(1)
    expect(scene.alarms.all()[0]?.causes).toEqual([
      { type: 'cpu', value: 95, max: 90 },
      { type: 'load1', value: 9, max: 4 },
    ])
    await scene.checks(1, both(1, 9))
    expect(said(scene)).toHaveLength(2)
  })

  it('of an offline machine fires when nothing was heard in any of the samples', async () => {
    const scene = alertScene()
    scene.rule([{ type: 'offline', duration: 4 }])
    await scene.checks(4, always(5))
    // It counts as online for 6 s after its last report: two checks more.
    await scene.checks(5)
    expect(said(scene)).toEqual([])
    await scene.checks(1)
    expect(said(scene)).toEqual(['[Incident] web-1(10.****.1) rule'])
    expect(scene.alarms.all()[0]?.causes).toEqual([{ type: 'offline' }])
    await scene.checks(1, always(5))
    expect(said(scene)).toHaveLength(2)
  })

  it('stays as it was while the machine is silent, and starts its samples anew after a long silence', async () => {
    const scene = alertScene()
    scene.rule([{ type: 'cpu', max: 90, duration: 3 }])
    await scene.checks(3, always(95))
    await scene.checks(20)
    expect(alarmsOf(scene)).toEqual(['rule 1 on 1: running'])
    await scene.checks(2, always(1))
    expect(alarmsOf(scene)).toEqual(['rule 1 on 1: running'])
    await scene.checks(1, always(1))
    expect(alarmsOf(scene)).toEqual(['rule 1 on 1: over'])
  })

  it.each([
    ['gpu_max', { max: 50 }],
    ['temperature_max', { max: 50 }],
    ['gpu_max', { min: 50 }],
    ['temperature_max', { min: 50 }],
    ['fan_speed', { max: 1 }],
    ['fan_speed_cycle', { max: 1, cycle_start: '2026-11-01T00:00:00Z', cycle_interval: 1 }],
    ['cpu', { max: 0, min: 0 }],
  ])('never fires by %s %o on a machine that has no such reading', async (type, bounds) => {
    const scene = alertScene()
    scene.rule([{ type, duration: 3, ...bounds }])
    await scene.checks(6, () => [{ state: { cpu: 99, temperatures: [{ Name: 'cpu', Temperature: 0 }] } }])
    expect([said(scene), scene.errors]).toEqual([[], []])
  })

  it('looks at all servers except those it ignores, or only at those', async () => {
    const scene = alertScene({ servers: 3 })
    const rule = { type: 'cpu', max: 90, duration: 3 }
    scene.rule([{ ...rule, cover: 0, ignore: { 1: true, 2: false } }], { name: 'all but 1' })
    scene.rule([{ ...rule, cover: 1, ignore: { 1: true, 2: false } }], { name: 'only 1' })
    await scene.checks(3, () => [load(95), load(95), load(95)])
    expect(alarmsOf(scene)).toEqual(['rule 1 on 3: running', 'rule 1 on 2: running', 'rule 2 on 1: running'])
  })

  it("of a member looks only at the member's own servers", async () => {
    const scene = alertScene({ servers: 3 })
    entityTable(scene.store, server).update(2, { user_id: 9 })
    scene.rule([{ type: 'cpu', max: 90, duration: 3 }], { user_id: 9, fail_trigger_tasks: [5] })
    await scene.checks(3, () => [load(95), load(95), load(95)])
    expect(alarmsOf(scene)).toEqual(['rule 1 on 2: running'])
    expect(scene.triggered).toEqual([{ ids: [5], server: 2, ownerId: 9 }])
    // Somebody else's now: nobody is told that it has recovered, for it has not.
    entityTable(scene.store, server).update(2, { user_id: 8 })
    await scene.checks(1, () => [load(95), load(95), load(95)])
    expect(alarmsOf(scene)).toEqual(['rule 1 on 2: withdrawn'])
    expect(said(scene)).toHaveLength(1)
  })

  it('starts anew when it is edited, and ends without a word', async () => {
    const scene = alertScene()
    const id = scene.rule([{ type: 'cpu', max: 90, duration: 3 }])
    await scene.checks(3, always(95))
    scene.edit(id, { rules: [{ type: 'cpu', max: 80, duration: 3 }] })
    await scene.checks(2, always(95))
    expect(alarmsOf(scene)).toEqual(['rule 1 on 1: withdrawn'])
    expect(said(scene)).toHaveLength(1)
    await scene.checks(1, always(95))
    expect(said(scene)).toHaveLength(2)
    expect(alarmsOf(scene)).toEqual(['rule 1 on 1: running', 'rule 1 on 1: withdrawn'])
  })

  it.each([
    ['disabled', { enable: false }],
    ['deleted', undefined],
  ])('rests when it is %s', async (_, changes) => {
    const scene = alertScene()
    const id = scene.rule([{ type: 'cpu', max: 90, duration: 3 }])
    await scene.checks(3, always(95))
    if (changes) scene.edit(id, changes)
    else scene.store.table({ name: 'alert-rule', columns: [] }).remove([id])
    await scene.checks(5, always(1))
    expect(said(scene)).toHaveLength(1)
    expect(alarmsOf(scene)).toEqual(['rule 1 on 1: withdrawn'])
  })

  it('ends without a word where its server is deleted', async () => {
    const scene = alertScene({ servers: 2 })
    scene.rule([{ type: 'offline', duration: 3 }])
    await scene.checks(3)
    entityTable(scene.store, server).remove([1])
    await scene.checks(1)
    expect(alarmsOf(scene)).toEqual(['rule 1 on 2: running', 'rule 1 on 1: withdrawn'])
    expect(said(scene)).toHaveLength(2)
  })

  it('goes on after a restart in the middle of its samples', async () => {
    const scene = alertScene({ servers: 2 })
    scene.rule([{ type: 'cpu', max: 90, duration: 10 }])
    for (let check = 0; check < 9; check++) {
      await scene.checks(1, () => [load(95), load(1)])
      scene.restart()
    }
    expect(said(scene)).toEqual([])
    await scene.checks(1, () => [load(95), load(1)])
    expect(said(scene)).toEqual(['[Incident] web-1(10.****.1) rule'])
    scene.restart()
    await scene.checks(7, () => [load(95), load(95)])
    expect(said(scene)).toHaveLength(1)
    scene.restart()
    // The eighth of ten: what the other machine had passed before is known too.
    await scene.checks(1, () => [load(95), load(95)])
    expect(said(scene)).toEqual(['[Incident] web-1(10.****.1) rule', '[Incident] web-2(10.****.2) rule'])
  })

  it('that fired is told of once, and its end as well, whatever restarts between', async () => {
    const scene = alertScene()
    scene.rule([{ type: 'offline', duration: 3 }])
    await scene.checks(3)
    scene.restart()
    await scene.checks(3)
    scene.restart()
    expect(said(scene)).toHaveLength(1)
    await scene.checks(1, always(1))
    expect(said(scene)).toEqual(['[Incident] web-1(10.****.1) rule', '[Resolved] web-1(10.****.1) rule'])
  })

  it('does not count samples from before a long stop', async () => {
    const scene = alertScene()
    scene.rule([{ type: 'cpu', max: 90, duration: 4 }])
    await scene.checks(3, always(95))
    scene.restart()
    scene.clock.now += 3_600_000
    await scene.checks(3, always(95))
    expect(said(scene)).toEqual([])
    await scene.checks(1, always(95))
    expect(said(scene)).toHaveLength(1)
  })
})
