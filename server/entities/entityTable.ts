import type { Entity } from '../../src/schemas/define/entity.ts'
import { recordChanges } from '../changes/recordChanges.ts'
import type { Store } from '../db/store.ts'
import type { ResidentTable } from '../db/table.ts'
import { compileEntity } from './compileEntity.ts'
import type { Row } from './row.ts'

const recorded = new WeakSet<object>()

/** The table that holds the records of an entity; what is written to it is recorded in the history of changes. */
export function entityTable<E extends Entity>(store: Store, entity: E): ResidentTable<Row<E>> {
  const table = store.resident<Row<E>>(compileEntity(entity).table)
  if (!recorded.has(table)) recordChanges(store, entity, table, ownerOf)
  recorded.add(table)
  return table
}

const ownerOf = ({ user_id = 0 }: Partial<Row>) => user_id
