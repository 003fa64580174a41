import { describeFields, type FieldDescription } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { type Reference, referencesOf } from '../../src/schemas/define/references.ts'
import type { TableDefinition } from '../db/table.ts'
import { createFieldLimits, type FieldLimits } from './fieldLimits.ts'
import { createFormReader, type FormReader } from './formReader.ts'
import { listSchema } from './listSchema.ts'
import type { ResponseRow, Row } from './row.ts'
import { createRowEncoder } from './rowEncoder.ts'
import { tableDefinition } from './tableDefinition.ts'

/** What the server needs of an entity, derived once from the descriptions of its fields. */
export interface CompiledEntity extends FormReader {
  limits: FieldLimits
  encodeRow(row: Row): ResponseRow
  table: TableDefinition
  /** The places in its form that hold ids of other records. */
  references: readonly FormReference[]
  /** JSON Schema of its list, for openapi.json. */
  listSchema(): Record<string, unknown>
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
