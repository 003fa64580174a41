import { type FieldDescription, jsonSchemaOf } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'

/** What a value must be on the wire, named as the contract's servers name it: their clients see these names. */
export type WireType =
  | { kind: 'string' | 'bool' | 'float64' | 'any' }
  | { kind: 'int' | 'uint64' | 'uint8'; name?: string }
  | { kind: 'list'; of: WireType; name?: string }
  | { kind: 'map'; key: 'uint64' | 'string'; of: WireType }

type Json = Record<string, unknown>

const uint64: WireType = { kind: 'uint64' }

/** Codes that have a type of their own on real servers: refusals name it. */
const codeNames: Readonly<Record<string, string | undefined>> = { 'user.role': 'model.Role' }

/** `map[uint64][]string` and the like. */
export function nameOf(type: WireType): string {
  switch (type.kind) {
    case 'list':
      return type.name ?? `[]${nameOf(type.of)}`
    case 'map':
      return `map[${type.key}]${nameOf(type.of)}`
    default:
      return ('name' in type && type.name) || type.kind
  }
}

/** The wire type of an entity's field, from its description. */
export function wireTypeOf(entity: Entity, field: FieldDescription): WireType {
  switch (field.kind) {
    case 'flag':
      return { kind: 'bool' }
    case 'choice':
      return { kind: 'uint8', name: codeNames[`${entity.name}.${field.name}`] }
    case 'ref':
      return uint64
    case 'refs':
      return { kind: 'list', of: uint64 }
    case 'idSet':
      return { kind: 'map', key: 'uint64', of: { kind: 'bool' } }
    case 'number':
      return numberType(field)
    case 'list':
    case 'json':
      return named(propertyOf(entity, field.name))
    default:
      return { kind: 'string' }
  }
}

function numberType({
  integer,
  minimum,
  maximum,
}: Pick<FieldDescription, 'integer' | 'minimum' | 'maximum'>): WireType {
  if (!integer) return { kind: 'float64' }
  if (minimum === undefined || minimum < 0) return { kind: 'int' }
  return maximum !== undefined && maximum <= 255 ? { kind: 'uint8' } : uint64
}

function propertyOf(entity: Entity, name: string): Json {
  return (jsonSchemaOf(entity.form).properties as Record<string, Json>)[name] ?? {}
}

/** A structured value under the name that its declaration gives to its type. */
function named(schema: Json): WireType {
  const type = typeOfSchema(schema)
  return type.kind === 'list' ? { ...type, name: schema.wireName as string | undefined } : type
}

/** The types of structured values. Objects with named fields are taken as they come: their schema judges them. */
function typeOfSchema(schema: Json): WireType {
  const of = (inner: unknown) => typeOfSchema((inner as Json | undefined) ?? {})
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

function hasNumberKeys(schema: Json): boolean {
  return (schema.propertyNames as Json | undefined)?.pattern === String.raw`^\d+$`
}
