import { describeFields } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import type { TableDefinition } from '../db/store.ts'
import { createFormReader, type FormReader } from './formReader.ts'
import { listSchema } from './listSchema.ts'
import type { ResponseRow, Row } from './row.ts'
import { createRowEncoder } from './rowEncoder.ts'
import { tableDefinition } from './tableDefinition.ts'

/** What the server needs of an entity, derived once from the descriptions of its fields. */
export interface CompiledEntity extends FormReader {
  encodeRow(row: Row): ResponseRow
  table: TableDefinition
  /** JSON Schema of its list, for openapi.json. */
  listSchema(): Record<string, unknown>
}

const compiledEntities = new WeakMap<Entity, CompiledEntity>()

export function compileEntity(entity: Entity): CompiledEntity {
  let compiled = compiledEntities.get(entity)
  if (!compiled) {
    const fields = describeFields(entity)
    compiled = {
      ...createFormReader(entity, fields),
      encodeRow: createRowEncoder(fields),
      table: tableDefinition(entity.name, fields),
      listSchema: () => listSchema(entity, fields),
    }
    compiledEntities.set(entity, compiled)
  }
  return compiled
}
