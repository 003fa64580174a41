import type { DataProvider } from 'ra-core'
import type { Row } from '../records/queryRows.ts'
import { referencesOf } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import { sameValue } from '../schemas/define/values.ts'
import { type ChangeAction, claimChange, readActions, readChanges, updateChange } from './changeDatabase.ts'
import { newChangeGroup } from './changeGroup.ts'
import { type Link, planUndo, type UndoStep } from './planUndo.ts'
import { type Renewed, relinked } from './relink.ts'

type Id = number | string

/** What a person decided about an undo. */
export interface UndoChoices {
  /** The fields that others have changed since, and that go back all the same, by the key of the change. */
  overwrite: ReadonlyMap<number, ReadonlySet<string>>
  /** Secrets that were entered again, by the key of the change. */
  secrets: ReadonlyMap<number, Readonly<Record<string, string>>>
}

/** How it went with one record. */
export interface UndoResult {
  step: UndoStep
  /** Left out: it was taken back. */
  error?: unknown
}

/** What an undo needs of the console. */
export interface UndoPorts {
  provider: Pick<DataProvider, 'create' | 'update'> & {
    reload: (entity: string) => Promise<Row[]>
    clearLists: (entity: string) => Promise<unknown>
  }
  entityNamed: (name: string) => Entity | undefined
  onProgress?: (done: number) => void
  /** Stops before the next record. */
  signal?: AbortSignal
}

/** Another tab is restoring the same record. */
const takenError = 'app.undo.taken'

/**
 * Takes an action back as planned, record by record; one that fails does not stop the others. Restored records get their
 * references when all of them are there. What was done is noted at once, so that an undo that was stopped goes on where
 * it was.
 *
 * @param steps those of `planUndo`; only the ones that are ready
 */
export async function runUndo(
  entity: Entity,
  steps: readonly UndoStep[],
  choices: UndoChoices,
  ports: UndoPorts,
): Promise<UndoResult[]> {
  const { provider, signal, onProgress } = ports
  const changeGroup = newChangeGroup()
  const results: UndoResult[] = []
  const restored: { step: UndoStep; id: Id; links: readonly Link[] }[] = []
  for (const step of steps) {
    if (signal?.aborted) break
    try {
      const id = step.current ? await changeBack(step) : await createAgain(step)
      if (step.links.length > 0) restored.push({ step, id, links: step.links })
      else await markUndone(step)
      results.push({ step })
    } catch (error) {
      results.push({ step, error })
    }
    onProgress?.(results.length)
  }
  await provider.clearLists(entity.name)
  const failures = await relinkAll(restored, ports)
  for (const { step } of restored) {
    if (!failures.has(step)) await markUndone(step)
  }
  return results.map((result) => ({ ...result, error: result.error ?? failures.get(result.step) }))

  async function changeBack({ change, current, fields }: UndoStep): Promise<Id> {
    const overwrite = choices.overwrite.get(change.key)
    const chosen = fields.filter(({ field, isConflict }) => !isConflict || overwrite?.has(field))
    const data = Object.fromEntries(chosen.map(({ field, before }) => [field, before]))
    const id = current?.id as Id
    if (chosen.length > 0) {
      const meta = { changeGroup, isOneOfMany: true }
      await provider.update(entity.name, { id, data, previousData: current, meta })
    }
    return id
  }

  async function createAgain({ change, data }: UndoStep): Promise<Id> {
    if (!(await claimChange(change.key))) throw new Error(takenError)
    try {
      const secrets = choices.secrets.get(change.key)
      const { data: created } = await provider.create(entity.name, { data: { ...data, ...secrets } })
      await updateChange(change.key, { newId: created.id })
      return created.id
    } catch (error) {
      await updateChange(change.key, { claimedAt: 0 })
      throw error
    }
  }
}

async function markUndone({ keys }: UndoStep): Promise<void> {
  for (const key of keys) await updateChange(key, { isUndone: true })
}

/** Lets records point at restored ones again, each with one write. @returns the steps for which that failed */
async function relinkAll(
  restored: readonly { step: UndoStep; id: Id; links: readonly Link[] }[],
  { provider, entityNamed }: UndoPorts,
): Promise<ReadonlyMap<UndoStep, unknown>> {
  const failures = new Map<UndoStep, unknown>()
  const links = restored.flatMap(({ step, id, links: all }) => all.map((link) => ({ step, link, id })))
  for (const [name, ofEntity] of Map.groupBy(links, ({ link }) => link.entity)) {
    const referring = entityNamed(name)
    if (!referring) continue
    const fail = (steps: readonly { step: UndoStep }[], error: unknown) => {
      for (const { step } of steps) failures.set(step, error)
    }
    try {
      const rows = await provider.reload(name)
      for (const [id, ofRow] of Map.groupBy(ofEntity, ({ link }) => String(link.id))) {
        const row = rows.find((one) => String(one.id) === id)
        if (row) await relinkRow(referring, row, ofRow).catch((error) => fail(ofRow, error))
      }
    } catch (error) {
      fail(ofEntity, error)
    }
    await provider.clearLists(name)
  }
  return failures

  async function relinkRow(referring: Entity, row: Row, ofRow: readonly { step: UndoStep; link: Link; id: Id }[]) {
    const data = new Map<string, unknown>()
    for (const { step, link, id } of ofRow) {
      const renewed: Renewed = { from: step.change.recordId, to: id, value: link.value }
      const { field } = link
      data.set(field, relinked(referring, link, data.has(field) ? data.get(field) : row[field], [renewed]))
    }
    const changes = Object.fromEntries([...data].filter(([field, value]) => !sameValue(row[field], value)))
    if (Object.keys(changes).length === 0) return
    const meta = { isPartOfUndo: true, isOneOfMany: true }
    await provider.update(referring.name, { id: row.id, data: changes, previousData: row, meta })
  }
}

/**
 * Plans the undo of an action with the records as the server has them now: reads the list of its entity, and those of
 * what pointed at its records and of what they point at. Lists that cannot be read are left out, but the first.
 *
 * @throws HttpError when the list of the entity cannot be read
 */
export async function readPlan(
  action: ChangeAction,
  reload: (entity: string) => Promise<Row[]>,
  entityNamed: (name: string) => Entity | undefined,
): Promise<UndoStep[]> {
  const entity = entityNamed(action.entity)
  if (!entity) return []
  const changes = await readChanges(action.key)
  const referring = changes.flatMap(({ references = [] }) => references.map((reference) => reference.entity))
  const others = new Set([...referring, ...referencesOf(entity).map(({ to }) => to)])
  others.delete(entity.name)
  const rows = new Map([[entity.name, await reload(entity.name)]])
  await Promise.allSettled([...others].map(async (name) => rows.set(name, await reload(name))))
  const actions = await readActions(action.account)
  return planUndo(action, changes, { entityNamed, actions, rowsOf: (name) => rows.get(name) })
}
