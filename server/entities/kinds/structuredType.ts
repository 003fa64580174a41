import { type FieldDescription, jsonSchemaOf } from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { WireType } from '../../wire/wireType.ts'

/** The wire type of a list or of another structured value, under the name that its schema gives to it. */
export function structuredType({ name }: FieldDescription, entity: Entity): WireType {
  const schema = (jsonSchemaOf(entity.form).properties as Record<string, Values>)[name] ?? {}
  const type = typeOfSchema(schema)
  return type.kind === 'list' ? { ...type, name: schema.wireName as string | undefined } : type
}

/** The types of structured values. Objects with named fields are taken as they come: their schema judges them. */
function typeOfSchema(schema: Values): WireType {
  const of = (inner: unknown) => typeOfSchema((inner as Values | undefined) ?? {})
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

function hasNumberKeys(schema: Values): boolean {
  return (schema.propertyNames as Values | undefined)?.pattern === String.raw`^\d+$`
}
