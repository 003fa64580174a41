import type { Row } from '../records/queryRows.ts'
import type { Entity } from '../schemas/define/entity.ts'
import type { Values } from '../schemas/define/values.ts'
import { addChanges } from './changeDatabase.ts'
import { changeOfDeletion, changeOfUpdate, referencesTo } from './recordChange.ts'
import { isRestorable } from './restorable.ts'

export { withdrawChanges } from './changeDatabase.ts'

interface Action {
  account: string
  group: string
}

/** Stores what takes an update back: see `changeOfUpdate`. */
export function storeUpdate(action: Action, entity: Entity, before: Row, changes: Values): Promise<number[]> {
  return addChanges({
    ...action,
    entity: entity.name,
    verb: 'update',
    changes: [changeOfUpdate(entity, before, changes)],
  })
}

/**
 * Stores what takes a deletion back, where its records can come back at all.
 * @param rows the records that will be deleted
 * @param referring the records that may refer to them, by entity
 */
export async function storeDeletion(
  action: Action,
  entity: Entity,
  rows: readonly Row[],
  referring: ReadonlyMap<Entity, readonly Row[]>,
): Promise<number[]> {
  if (!isRestorable(entity) || rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const references = referencesTo(entity.name, ids, referring)
  const changes = rows.map((row) => changeOfDeletion(entity, row, references.get(String(row.id)) ?? []))
  return addChanges({ ...action, entity: entity.name, verb: 'delete', changes })
}
