import { describeFields, emptyValue, type FieldDescription } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Column, Store, Table } from './store.ts'

/** A record as it is kept: the fields of its entity, and whose it is. The owner is not on the wire. */
export type Row = Record<string, unknown> & { id: number; user_id: number }

/** The table of an entity, made from the descriptions of its fields; new fields become new columns. */
export function entityTable(store: Store, entity: Entity): Table<Row> {
  const fields = describeFields(entity).filter(({ name, transient }) => name !== 'id' && !transient)
  const owner: Column = { name: 'user_id', type: 'INTEGER', initial: 0 }
  return store.table<Row>({ name: entity.name, columns: [...fields.map(columnOf), owner] })
}

function columnOf(field: FieldDescription): Column {
  return { name: field.name, type: columnType(field), initial: field.initial ?? emptyValue(field.kind) }
}

function columnType({ kind, integer }: FieldDescription): Column['type'] {
  switch (kind) {
    case 'flag':
      return 'FLAG'
    case 'number':
      return integer ? 'INTEGER' : 'REAL'
    case 'choice':
    case 'ref':
      return 'INTEGER'
    case 'refs':
    case 'idSet':
    case 'list':
    case 'json':
      return 'JSON'
    default:
      return 'TEXT'
  }
}
