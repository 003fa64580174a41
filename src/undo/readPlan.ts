import type { Row } from '../records/queryRows.ts'
import type { Entity } from '../schemas/define/entity.ts'
import { referencesOf } from '../schemas/define/references.ts'
import { type ChangeAction, readActions, readChanges } from './changeDatabase.ts'
import { planUndo, type UndoStep } from './planUndo.ts'

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
