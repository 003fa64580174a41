import type { Entity } from '../../src/schemas/define/entity.ts'
import { recordedTable } from '../changes/recordedTable.ts'
import type { Store } from '../db/store.ts'
import type { ResidentTable } from '../db/table.ts'
import { compileEntity } from './compileEntity.ts'
import type { Row } from './row.ts'

const tables = new WeakMap<Store, Map<string, ResidentTable<Row>>>()

/** The table that holds the records of an entity; what is written to it is recorded in the history of changes. */
export function entityTable(store: Store, entity: Entity): ResidentTable<Row> {
  const tablesByName = tables.get(store) ?? new Map<string, ResidentTable<Row>>()
  tables.set(store, tablesByName)
  let table = tablesByName.get(entity.name)
  if (!table) {
    table = recordedTable(store, entity, store.resident<Row>(compileEntity(entity).table), ownerOf)
    tablesByName.set(entity.name, table)
  }
  return table
}

const ownerOf = ({ user_id = 0 }: Partial<Row>) => user_id
