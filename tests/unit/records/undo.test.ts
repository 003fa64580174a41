// @vitest-environment jsdom
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDataProvider } from '../../../src/dataProvider.ts'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import type { Row } from '../../../src/records/queryRows.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import { cron } from '../../../src/schemas/cron.ts'
import { ddns } from '../../../src/schemas/ddns.ts'
import { describeFields } from '../../../src/schemas/define/describe.ts'
import { defineEntity, type Entity } from '../../../src/schemas/define/entity.ts'
import { choice, facts, flag, idSet, name, refOrNone, refs, secret } from '../../../src/schemas/define/fields.ts'
import { notificationGroup } from '../../../src/schemas/notificationGroup.ts'
import { server } from '../../../src/schemas/server.ts'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'
import { service } from '../../../src/schemas/service.ts'
import { readActions } from '../../../src/undo/changeDatabase.ts'
import { newChangeGroup } from '../../../src/undo/changeGroup.ts'
import { createChangeRecorder } from '../../../src/undo/changeRecorder.ts'
import type { UndoStep } from '../../../src/undo/planUndo.ts'
import { readPlan } from '../../../src/undo/readPlan.ts'
import { withNewIds } from '../../../src/undo/relink.ts'
import { runUndo, type UndoChoices } from '../../../src/undo/runUndo.ts'
import { fakeIndexedDb } from '../../support/fakes/fakeIndexedDb.ts'
import { type Rows, recordServer } from '../../support/fakes/recordServer.ts'

/** A made-up entity with a field of most kinds, and one that points at it in every way. */
const device = defineEntity({
  name: 'device',
  form: z.object({
    name: name(),
    watts: z.int().default(40),
    note: z.string().optional(),
    powered: flag(),
    colour: choice({ 1: 'red', 2: 'green' }).optional(),
    pin: secret().optional(),
  }),
})
const locked = defineEntity({
  name: 'locked',
  form: z.object({ name: name(), key: z.string().min(1).register(facts, { concealedBy: 'key' }) }),
})
const rack = defineEntity({
  name: 'rack',
  form: z.object({
    name: name(),
    devices: refs('device').default([]),
    spare: refOrNone('device').default(0),
    skipped: idSet('device').nullable().default(null),
    texts: z
      .string()
      .register(facts, { mentions: [{ to: 'device' }] })
      .default(''),
    rules: z
      .array(z.looseObject({}))
      .register(facts, { mentions: [{ to: 'device', path: ['*', 'ignore'] }] })
      .default([]),
  }),
})
const account = '1 2026-01-01'
const nothingChosen: UndoChoices = { overwrite: new Map(), secrets: new Map() }

function setUp(entities: readonly Entity[], rows: Rows, refuse?: (call: string) => string | undefined) {
  fakeIndexedDb()
  recordServer(entities, rows, refuse)
  const entityNamed = (wanted: string) => entities.find((entity) => entity.name === wanted)
  const recorder = createChangeRecorder(() => account)
  const provider = createDataProvider(createQueryClient(), entityNamed, entities, recorder)
  const planOf = async (at = 0) => {
    const action = (await readActions(account))[at]
    if (!action) throw new Error('There is no such action.')
    const plan = await readPlan(action, provider.reload, entityNamed)
    return { plan, entity: entityNamed(action.entity) as Entity }
  }
  /** Takes back the action at this place of "Recent changes". */
  const undo = async (at = 0, choices: UndoChoices = nothingChosen) => {
    const { plan, entity } = await planOf(at)
    const ready = plan.filter(({ state }) => state === 'ready')
    return { plan, results: await runUndo(entity, ready, choices, { provider, entityNamed }) }
  }
  const update = (entity: string, id: number | string, data: object, changeGroup?: string) =>
    provider.update(entity, { id, data, previousData: undefined, meta: { changeGroup } })
  const remove = (entity: string, ids: number[], referrers: string[] = []) =>
    provider.deleteMany(entity, { ids, meta: { referrers } })
  return { provider, planOf, undo, update, remove }
}

const toyRows = (): Rows => ({
  device: [
    { id: 1, name: 'desk', watts: 40, note: 'old', made_in: 'Turin' },
    { id: 2, name: 'hall', watts: 60, powered: true },
  ],
  rack: [
    {
      ...{ id: 3, name: 'a', devices: [1, 2], spare: 2, skipped: { 2: true, 1: false }, texts: '1, 2' },
      rules: [{ type: 'cpu', ignore: { 2: true } }],
    },
    { id: 4, name: 'b', devices: [1], spare: 1, skipped: null, texts: '', rules: [] },
  ],
})
const toys = [device, rack]
const states = (plan: readonly UndoStep[]) => plan.map(({ state }) => state)

describe('Taking an edit back', () => {
  it('restores the earlier values, and what was empty is empty again', async () => {
    const rows = toyRows()
    const { update, undo } = setUp(toys, rows)
    await update('device', 1, { note: 'new', watts: 7, colour: 2 })
    const { results } = await undo()
    expect(results).toMatchObject([{ error: undefined }])
    expect(rows.device?.[0]).toEqual({ id: 1, name: 'desk', watts: 40, note: 'old', made_in: 'Turin' })
  })

  it('keeps what others changed since in other fields, and asks where they changed the same one', async () => {
    const rows = toyRows()
    const { update, undo, planOf } = setUp(toys, rows)
    const group = newChangeGroup()
    for (const id of [1, 2]) await update('device', id, { note: 'mine', watts: 7 }, group)
    rows.device = rows.device?.map((row) => (row.id === 1 ? { ...row, note: 'theirs', powered: true } : row)) ?? []
    const [conflict] = (await planOf()).plan
    expect(conflict?.fields).toEqual([
      { field: 'watts', now: 7, before: 40, isConflict: false },
      { field: 'note', now: 'theirs', before: 'old', isConflict: true },
    ])
    await undo()
    expect(rows.device).toMatchObject([
      { watts: 40, note: 'theirs', powered: true },
      { watts: 60, powered: true },
    ])
    expect(states((await planOf(1)).plan)).toEqual(['undone', 'undone'])
  })

  it('can be taken back itself', async () => {
    const rows = toyRows()
    const { update, undo } = setUp(toys, rows)
    await update('device', 1, { watts: 7 })
    await undo()
    await undo()
    expect(rows.device?.[0]?.watts).toBe(7)
  })

  it('overwrites what others changed where somebody chose that', async () => {
    const rows = toyRows()
    const { update, undo, planOf } = setUp(toys, rows)
    await update('device', 1, { note: 'mine' })
    rows.device = rows.device?.map((row) => ({ ...row, note: 'theirs' })) ?? []
    const key = (await planOf()).plan[0]?.change.key ?? 0
    await undo(0, { ...nothingChosen, overwrite: new Map([[key, new Set(['note'])]]) })
    expect(rows.device?.[0]?.note).toBe('old')
  })

  it('says why it cannot be done: the record is gone, is as it was, or only secrets were changed', async () => {
    const rows = toyRows()
    const { update, remove, planOf } = setUp(toys, rows)
    await update('device', 1, { watts: 7 })
    await update('device', 1, { watts: 40 })
    await update('device', 1, { pin: '1234' })
    expect(states((await planOf(0)).plan)).toEqual(['secrets'])
    expect(states((await planOf(2)).plan)).toEqual(['same'])
    await remove('device', [1])
    expect(states((await planOf(3)).plan)).toEqual(['gone'])
  })

  it('goes on where it was stopped', async () => {
    const rows = toyRows()
    let isBroken = false
    const refuse = (call: string) => (isBroken && call === 'PATCH device/2' ? 'no' : undefined)
    const { update, undo } = setUp(toys, rows, refuse)
    const group = newChangeGroup()
    for (const id of [1, 2]) await update('device', id, { watts: 7 }, group)
    isBroken = true
    expect((await undo()).results.map(({ error }) => (error as Error | undefined)?.message)).toEqual([undefined, 'no'])
    isBroken = false
    // Above it stands the entry of the half that was taken back.
    expect((await undo(1)).results).toHaveLength(1)
    expect(rows.device?.map(({ watts }) => watts)).toEqual([40, 60])
  })
})

describe('Taking a deletion back', () => {
  it('restores the record with a new number, and what pointed at it points there again', async () => {
    const rows = toyRows()
    const { remove, undo } = setUp(toys, rows)
    await remove('device', [2], ['rack'])
    const { results } = await undo()
    expect(results).toMatchObject([{ error: undefined }])
    expect(rows.device?.[1]).toEqual({ id: 5, name: 'hall', watts: 60, powered: true, note: '' })
    expect(rows.rack).toMatchObject([
      { devices: [1, 5], spare: 5, skipped: { 5: true, 1: false }, texts: '1,5', rules: [{ ignore: { 5: true } }] },
      { devices: [1], spare: 1 },
    ])
  })

  it('adds references again that the server has taken out, and leaves those that somebody set anew', async () => {
    const rows = toyRows()
    const { remove, undo } = setUp(toys, rows)
    await remove('device', [2], ['rack'])
    rows.rack = [{ ...(rows.rack?.[0] as Row), devices: [1], spare: 1, skipped: null, texts: '1' }]
    await undo()
    expect(rows.rack).toMatchObject([{ devices: [1, 5], spare: 1, skipped: { 5: true }, texts: '1,5' }])
  })

  it('finds records by their new numbers: an edit before the deletion can be taken back too', async () => {
    const rows = toyRows()
    const { update, remove, undo } = setUp(toys, rows)
    await update('rack', 4, { devices: [2] })
    await update('device', 2, { watts: 7 })
    await remove('device', [2], ['rack'])
    await undo(0)
    expect(rows.rack?.[1]).toMatchObject({ devices: [5] })
    await undo(1)
    expect(rows.device?.[1]).toMatchObject({ id: 5, watts: 60 })
    // The undo of the edit is an entry by itself.
    await undo(3)
    expect(rows.rack?.[1]).toMatchObject({ devices: [1] })
  })

  it('leaves out references to what no longer exists, and names them', async () => {
    const rows = toyRows()
    const { remove, undo } = setUp(toys, rows)
    await remove('rack', [3])
    rows.device = rows.device?.filter(({ id }) => id !== 2) ?? []
    const { plan } = await undo()
    expect(plan[0]?.dead.map(({ field, ids }) => [field, ids])).toEqual([
      ['devices', ['2']],
      ['spare', ['2']],
      ['skipped', ['2']],
      ['texts', ['2']],
    ])
    expect(rows.rack?.[1]).toMatchObject({
      id: 5,
      name: 'a',
      devices: [1],
      spare: 0,
      skipped: { 1: false },
      texts: '1',
    })
  })

  it('asks again for a secret without which the record cannot be created', async () => {
    const rows: Rows = { locked: [{ id: 1, name: 'door', key: 'hunter2' }] }
    const { remove, undo, planOf } = setUp([locked], rows)
    await remove('locked', [1])
    const [step] = (await planOf()).plan
    expect(step).toMatchObject({ needed: ['key'], lost: [], data: { name: 'door' } })
    expect((await undo()).results[0]?.error).toBeDefined()
    await undo(0, { ...nothingChosen, secrets: new Map([[step?.change.key ?? 0, { key: 'hunter3' }]]) })
    expect(rows.locked).toEqual([{ id: 2, name: 'door', key: 'hunter3' }])
  })

  it('restores each record once, whichever tab asks', async () => {
    const rows = toyRows()
    const { remove, undo } = setUp(toys, rows)
    await remove('device', [1, 2], ['rack'])
    const both = await Promise.all([undo(), undo()])
    expect(rows.device?.map(({ name }) => name).toSorted()).toEqual(['desk', 'hall'])
    expect(both.flatMap(({ results }) => results).filter(({ error }) => error === undefined)).toHaveLength(2)
  })

  it('repairs references later when that failed, and does not restore the record twice', async () => {
    const rows = toyRows()
    let isBroken = true
    const { remove, undo } = setUp(toys, rows, (call) => (isBroken && call === 'PATCH rack/3' ? 'no' : undefined))
    await remove('device', [2], ['rack'])
    expect((await undo()).results[0]?.error).toMatchObject({ message: 'no' })
    isBroken = false
    expect((await undo()).results[0]?.error).toBeUndefined()
    expect(rows.device).toHaveLength(2)
    expect(rows.rack?.[0]).toMatchObject({ devices: [1, 5] })
  })

  it('waits for a server to come back by itself, and gives it its fields and groups again', async () => {
    const rows: Rows = {
      server: [{ id: 1, name: 'db-1', note: 'cellar', display_index: 3, uuid: 'u-1' }],
      'server-group': [{ id: 2, name: 'all', servers: [1] }],
    }
    const { remove, undo, planOf } = setUp([server, serverGroup], rows)
    await remove('server', [1], ['server-group'])
    expect(states((await planOf()).plan)).toEqual(['waiting'])
    rows.server = [{ id: 9, name: 'localhost', uuid: 'u-1', display_index: 0 }]
    await undo()
    expect(rows.server).toMatchObject([{ id: 9, name: 'db-1', note: 'cellar', display_index: 3 }])
  })
})

describe('For random records and edits', () => {
  const text = fc.string({ maxLength: 8 }).map((value) => value.trim())
  const label = text.map((value) => value || 'x')
  const ids = (among: readonly number[]) => fc.subarray([...among])
  const idsAsSet = (among: readonly number[]) =>
    fc.dictionary(fc.constantFrom(...among.map(String)), fc.boolean()).map((set) => ({ ...set }))

  /** Forms of each entity, with references to the records with the ids 1 to 3 of what they point to. */
  const forms: Readonly<Record<string, fc.Arbitrary<Record<string, unknown>>>> = {
    device: fc.record({
      name: label,
      watts: fc.nat(90),
      note: text,
      powered: fc.boolean(),
      colour: fc.constantFrom(1, 2),
    }),
    rack: fc.record({
      name: label,
      devices: ids([1, 2, 3]),
      spare: fc.constantFrom(0, 1, 2, 3),
      skipped: fc.option(idsAsSet([1, 2, 3])),
      texts: ids([1, 2, 3]).map(String),
      rules: fc.array(fc.record({ type: text, ignore: idsAsSet([1, 2, 3]) }), { maxLength: 3 }),
    }),
    server: fc.record({ name: label, display_index: fc.nat(9), note: text, ddns_profiles: ids([1, 2, 3]) }),
    service: fc.record({
      name: label,
      target: fc.constantFrom('https://a.example', 'https://b.example/x'),
      duration: fc.integer({ min: 30, max: 99 }),
      display_index: fc.nat(9),
      notification_group_id: fc.constantFrom(0, 1, 2, 3),
      skip_servers: fc.option(idsAsSet([1, 2, 3])),
      fail_trigger_tasks: fc.option(ids([1, 2, 3])),
    }),
    'alert-rule': fc.record({
      name: label,
      enable: fc.boolean(),
      notification_group_id: fc.constantFrom(0, 1, 2, 3),
      rules: fc.array(
        fc.record({
          type: fc.constant('cpu'),
          min: fc.nat(90),
          duration: fc.constant(30),
          cover: fc.constant(0),
          ignore: idsAsSet([1, 2, 3]),
        }),
        { minLength: 1, maxLength: 2 },
      ),
      recover_trigger_tasks: fc.option(ids([1, 2, 3])),
    }),
  }
  const byName = new Map<string, Entity>(
    [device, rack, server, service, alertRule].map((entity) => [entity.name, entity]),
  )
  const others = { cron, ddns, 'notification-group': notificationGroup }
  const numbered = (list: readonly Record<string, unknown>[]): Row[] => list.map((row, at) => ({ ...row, id: at + 1 }))

  /** What a form shows of rows: absent, null and empty are the same, and the order of ids says nothing. */
  const shown = (entity: Entity, rows: readonly Row[] = []) =>
    rows.map((row) => Object.fromEntries(Object.keys(entity.form.shape).map((field) => [field, normal(row[field])])))
  const normal = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.length === 0 ? '' : value.map((item) => JSON.stringify(normal(item))).toSorted()
    if (typeof value === 'string' && value.includes(',')) return value.split(',').toSorted().join()
    return value === undefined || value === null || value === 0 || value === false ? '' : value
  }

  /** A row from which a server has taken out references to records that were deleted. */
  const withoutReferences = (entity: Entity, row: Row, to: string, deleted: readonly number[]): Row => {
    const places = describeFields(entity).filter((field) => field.to === to && field.kind !== 'idSet')
    const left = (value: unknown) =>
      Array.isArray(value) ? value.filter((id) => !deleted.includes(id)) : deleted.includes(Number(value)) ? 0 : value
    return { ...row, ...Object.fromEntries(places.map(({ name }) => [name, left(row[name])])) }
  }

  it.each([...byName.keys()])('of %s: an edit that was taken back leaves everything as it was', async (entityName) => {
    const form = forms[entityName] as fc.Arbitrary<Record<string, unknown>>
    const entity = byName.get(entityName) as Entity
    await fc.assert(
      fc.asyncProperty(
        fc.array(form, { minLength: 1, maxLength: 3 }),
        fc.array(form, { minLength: 1, maxLength: 3 }),
        async (before, edits) => {
          const three = numbered(['a', 'b', 'c'].map((name) => ({ name, task_type: 1 })))
          const rows: Rows = { device: three, server: three, cron: three, ddns: three, 'notification-group': three }
          rows[entityName] = numbered(before)
          const { update, undo } = setUp([...byName.values(), ...Object.values(others)], rows)
          const group = newChangeGroup()
          for (const [at, edit] of edits.entries()) await update(entityName, (at % before.length) + 1, edit, group)
          const { results } = await undo()
          expect(results.filter(({ error }) => error !== undefined)).toEqual([])
          expect(shown(entity, rows[entityName])).toEqual(shown(entity, numbered(before)))
        },
      ),
      { numRuns: 15 },
    )
  })

  it.each([
    ['device', 'rack'],
    ['cron', 'service'],
    ['notification-group', 'alert-rule'],
    ['notification-group', 'service'],
  ])('of %s: a deletion that was taken back leaves the same records, and %s points at them', async (target, from) => {
    const referring = byName.get(from) as Entity
    await fc.assert(
      fc.asyncProperty(
        fc.array(forms[from] as fc.Arbitrary<Record<string, unknown>>, { minLength: 1, maxLength: 3 }),
        fc.subarray([1, 2, 3], { minLength: 1 }),
        fc.boolean(),
        async (pointing, deleted, takesOut) => {
          const three = numbered(['a', 'b', 'c'].map((name) => ({ name, task_type: 1 })))
          const rows: Rows = { device: three, server: three, cron: three, ddns: three, 'notification-group': three }
          rows[from] = numbered(pointing)
          const entities = [...byName.values(), ...Object.values(others)]
          const { remove, undo } = setUp(entities, rows)
          await remove(target, deleted, [from])
          if (takesOut) rows[from] = rows[from].map((row) => withoutReferences(referring, row, target, deleted))
          const { results } = await undo()
          expect(results.filter(({ error }) => error !== undefined)).toEqual([])
          const names = new Map(rows[target]?.map((row) => [String(row.id), row.name]))
          expect([...names.values()].toSorted()).toEqual(['a', 'b', 'c'])
          const oldIds: Readonly<Record<string, number>> = { a: 1, b: 2, c: 3 }
          const oldId = (to: string, id: string) => (to === target ? oldIds[String(names.get(id))] : undefined)
          const now = rows[from].map((row) => withNewIds(referring, row, oldId))
          expect(shown(referring, now)).toEqual(shown(referring, numbered(pointing)))
        },
      ),
      { numRuns: 15 },
    )
  })
})
