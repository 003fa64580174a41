import { type FieldDescription, type JsonSchema, jsonSchemaOf } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Values } from '../../src/schemas/define/values.ts'
import { fieldKinds } from './kinds/fieldKinds.ts'

/**
 * JSON Schema of an entity's list as servers send it. Records that are read may hold more than a form accepts: they may
 * be older than a rule or come from another server; secrets are hidden, and empty values are left out.
 */
export function listSchema(entity: Entity, fields: readonly FieldDescription[]): Values {
  const { row: codec } = entity.api
  const wrapped = codec && withoutDialect(jsonSchemaOf(codec))
  // A codec that only renames members describes none of them.
  const row = wrapped && Object.keys(wrapped.properties ?? {}).length > 0 ? wrapped : undefined
  return { type: 'array', items: row ?? rowSchema(entity, fields) }
}

function rowSchema(entity: Entity, fields: readonly FieldDescription[]): Values {
  const { properties = {} } = jsonSchemaOf(entity.computed)
  const edited = fields.filter(({ editable, transient }) => editable && !transient)
  return {
    type: 'object',
    required: 'id' in properties ? ['id'] : [],
    properties: {
      ...properties,
      ...Object.fromEntries(edited.map((field) => [field.name, fieldKinds[field.kind].schema(field)])),
    },
  }
}

/** The dialect is named once for the whole document. */
function withoutDialect({ $schema: _dialect, ...json }: JsonSchema): JsonSchema {
  return json
}
