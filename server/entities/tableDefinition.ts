import { emptyValue, type FieldDescription } from '../../src/schemas/define/describe.ts'
import type { Column, TableDefinition } from '../db/table.ts'
import { fieldKinds } from './kinds/fieldKinds.ts'

/** Set for what a member owned before an administrator did, until an administrator saves it: see `OwnedRecords`. */
const memberRights: Column = { name: 'has_member_rights', type: 'FLAG', initial: false }

/** The table of an entity, made from the descriptions of its fields; new fields become new columns. */
export function tableDefinition(name: string, fields: readonly FieldDescription[]): TableDefinition {
  const stored = fields.filter(({ name, transient }) => name !== 'id' && !transient)
  const owner: Column = { name: 'user_id', type: 'INTEGER', initial: 0, indexed: true }
  return { name, columns: [...stored.map(columnOf), owner, memberRights] }
}

function columnOf(field: FieldDescription): Column {
  return {
    name: field.name,
    type: fieldKinds[field.kind].column(field),
    initial: field.initial ?? emptyValue(field.kind),
  }
}
