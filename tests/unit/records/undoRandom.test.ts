// @vitest-environment jsdom
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../../src/records/queryRows.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import { cron } from '../../../src/schemas/cron.ts'
import { ddns } from '../../../src/schemas/ddns.ts'
import { describeFields } from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { notificationGroup } from '../../../src/schemas/notificationGroup.ts'
import { server } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import { newChangeGroup } from '../../../src/undo/changeGroup.ts'
import { withNewIds } from '../../../src/undo/relink.ts'
import type { Rows } from '../../support/fakes/recordServer.ts'
import { device, rack, undoConsole } from '../../support/fakes/undoConsole.ts'

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
          const { update, undo } = undoConsole([...byName.values(), ...Object.values(others)], rows)
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
          const { remove, undo } = undoConsole(entities, rows)
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
