import { describeFields, emptyValue, type FieldDescription, isConcealed } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { withoutSecrets } from '../../src/schemas/define/innerSecrets.ts'
import { type Reference, referencesOf } from '../../src/schemas/define/references.ts'
import type { Values } from '../../src/schemas/define/values.ts'
import type { Column, TableDefinition } from '../db/table.ts'
import { isEmpty } from '../wire/withoutEmpty.ts'
import { createFieldLimits, type FieldLimits } from './fieldLimits.ts'
import { createFormReader, type FormReader } from './formReader.ts'
import { fieldKinds } from './kinds/fieldKinds.ts'
import { listSchema } from './listSchema.ts'
import type { ResponseRow, Row } from './row.ts'

/** Set for what a member owned before an administrator did, until an administrator saves it: see `OwnedRecords`. */
const memberRights: Column = { name: 'has_member_rights', type: 'FLAG', initial: false }

/** Who made a record that belongs to a team: see `Owned`. */
const maker: Column = { name: 'made_by', type: 'INTEGER', initial: 0 }

/** The table of an entity, made from the descriptions of its fields; new fields become new columns. */
function tableDefinition(name: string, fields: readonly FieldDescription[]): TableDefinition {
  const stored = fields.filter(({ name, transient }) => name !== 'id' && !transient)
  const owner: Column = { name: 'user_id', type: 'INTEGER', initial: 0, indexed: true }
  return { name, columns: [...stored.map(columnOf), owner, maker, memberRights] }
}

function columnOf(field: FieldDescription): Column {
  return {
    name: field.name,
    type: fieldKinds[field.kind].column(field),
    initial: field.initial ?? emptyValue(field.kind),
  }
}

const stamps = ['id', 'created_at', 'updated_at']

/**
 * Gives a function that writes a stored record as replies have it: without its owner and its secrets, and without
 * empty values where the contract omits them.
 */
function createRowEncoder(fields: readonly FieldDescription[]): (row: Row) => ResponseRow {
  const sent = fields.filter(({ name, transient }) => !stamps.includes(name) && !transient)
  const names = [...stamps, ...sent.map(({ name }) => name)]
  // Fields that only newer servers have are always sent: by them clients recognise a newer server.
  const omittable = new Set(sent.filter((field) => field.omittable && !field.newer).map(({ name }) => name))
  const concealed = new Set(sent.filter(isConcealed).map(({ name }) => name))
  const inner = new Map(sent.flatMap(({ name, secrets }) => (secrets ? [[name, secrets] as const] : [])))

  return (row) => {
    const encoded: { [name: string]: unknown } = {}
    for (const name of names) {
      const ways = inner.get(name)
      const value = concealed.has(name) ? '' : ways ? withoutSecrets(row[name], ways) : row[name]
      if (!omittable.has(name) || !isEmpty(value)) encoded[name] = value
    }
    return encoded
  }
}

/** What the server needs of an entity, derived once from the descriptions of its fields. */
export interface CompiledEntity extends FormReader {
  limits: FieldLimits
  encodeRow(row: Row): ResponseRow
  table: TableDefinition
  /** The places in its form that hold ids of other records. */
  references: readonly FormReference[]
  /** JSON Schema of its list, for openapi.json. */
  listSchema(): Values
}

export interface FormReference extends Reference {
  /** Whether the id 0 means none. */
  isOptional: boolean
}

const compiledEntities = new WeakMap<Entity, CompiledEntity>()

export function compileEntity(entity: Entity): CompiledEntity {
  let compiled = compiledEntities.get(entity)
  if (!compiled) {
    const fields = describeFields(entity)
    compiled = {
      ...createFormReader(entity, fields),
      limits: createFieldLimits(fields),
      encodeRow: createRowEncoder(fields),
      table: tableDefinition(entity.name, fields),
      references: formReferences(entity, fields),
      listSchema: () => listSchema(entity, fields),
    }
    compiledEntities.set(entity, compiled)
  }
  return compiled
}

function formReferences(entity: Entity, fields: readonly FieldDescription[]): FormReference[] {
  return referencesOf(entity).flatMap((reference) => {
    const field = fields.find(({ name }) => name === reference.field)
    return field?.editable ? [{ ...reference, isOptional: field.kind === 'ref' && !field.required }] : []
  })
}
