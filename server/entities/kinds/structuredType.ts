import { type FieldDescription, type JsonSchema, jsonSchemaOf } from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import type { WireType } from '../../wire/wireType.ts'

/** The wire type of a list or of another structured value, under the name that its schema gives to it. */
export function structuredType({ name }: FieldDescription, entity: Entity): WireType {
  const schema = jsonSchemaOf(entity.form).properties?.[name] ?? {}
  const type = typeOfSchema(schema)
  return type.kind === 'list' ? { ...type, name: schema.wireName } : type
}

/** The types of structured values. Objects with named fields are taken as they come: their schema judges them. */
function typeOfSchema(schema: JsonSchema): WireType {
  const of = (inner: JsonSchema | boolean | undefined) => typeOfSchema(typeof inner === 'object' ? inner : {})
  switch (schema.type) {
    case 'string':
      return { kind: 'string' }
    case 'boolean':
      return { kind: 'bool' }
    case 'integer':
    case 'number':
      return { kind: schema.type === 'integer' ? 'int' : 'float64' }
    case 'array':
      return { kind: 'list', of: of(schema.items) }
    case 'object':
      if (schema.properties || !schema.additionalProperties) return { kind: 'any' }
      return { kind: 'map', key: hasNumberKeys(schema) ? 'uint64' : 'string', of: of(schema.additionalProperties) }
    default:
      return { kind: 'any' }
  }
}

function hasNumberKeys(schema: JsonSchema): boolean {
  return schema.propertyNames?.pattern === String.raw`^\d+$`
}
