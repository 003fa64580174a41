import { z } from 'zod'
import { createDataProvider } from '../../../src/dataProvider.ts'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import { defineEntity, type Entity } from '../../../src/schemas/define/entity.ts'
import { choice, facts, flag, idSet, name, refOrNone, refs, secret } from '../../../src/schemas/define/fields.ts'
import { readActions } from '../../../src/undo/changeDatabase.ts'
import { createChangeRecorder } from '../../../src/undo/changeRecorder.ts'
import { readPlan, runUndo, type UndoChoices } from '../../../src/undo/runUndo.ts'
import { fakeIndexedDb } from './fakeIndexedDb.ts'
import { type Rows, recordServer } from './recordServer.ts'

/** A made-up entity with a field of most kinds, and one that points at it in every way. */
export const device = defineEntity({
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

export const rack = defineEntity({
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

export const account = '1 2026-01-01'
export const nothingChosen: UndoChoices = { overwrite: new Map(), secrets: new Map() }

/** A console on a server with these records, whose person can take changes back. */
export function undoConsole(entities: readonly Entity[], rows: Rows, refuse?: (call: string) => string | undefined) {
  fakeIndexedDb()
  recordServer(entities, rows, refuse)
  const entityNamed = (name: string) => entities.find((entity) => entity.name === name)
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
