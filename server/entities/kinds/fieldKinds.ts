import {
  choicesText,
  type FieldDescription,
  type JsonSchema,
  jsonSchemaOf,
  type Kind,
} from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { moment as momentSchema } from '../../../src/schemas/define/fields.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { Column } from '../../db/table.ts'
import { ApiError } from '../../wire/apiCall.ts'
import { type JsonNode, readTyped, type WireType } from '../../wire/parseJson.ts'

const text: FieldKind = {
  column: () => 'TEXT',
  schema: () => ({ type: 'string' }),
  reader: () => readerOf({ kind: 'string' }),
}

const refs: FieldKind = {
  column: () => 'JSON',
  schema: () => ({ type: ['array', 'null'], items: { type: 'integer' } }),
  reader: () => readerOf({ kind: 'list', of: { kind: 'uint64' } }),
}

const ref: FieldKind = {
  column: () => 'INTEGER',
  schema: () => ({ type: 'integer' }),
  reader: () => readerOf({ kind: 'uint64' }),
}

const number: FieldKind = {
  column: ({ integer }) => (integer ? 'INTEGER' : 'REAL'),
  schema: ({ integer }) => ({ type: integer ? 'integer' : 'number' }),
  reader: (field) => readerOf(numberType(field)),
}

function numberType({ integer, minimum, maximum }: FieldDescription): WireType {
  if (!integer) return { kind: 'float64' }
  if (minimum === undefined || minimum < 0) return { kind: 'int' }
  return maximum !== undefined && maximum <= 255 ? { kind: 'uint8' } : { kind: 'uint64' }
}

const momentExample = '2026-01-31T09:30:00+01:00'

/** RFC 3339 has seconds; the schema also takes times without. */
const seconds = /T\d\d:\d\d:\d\d/

/** Stored as it was sent, with its UTC offset and all digits of its fraction. */
const readMoment: FieldReader = (node, place) => {
  if (node.kind === 'null') return ''
  const value = node.kind === 'string' ? node.value : undefined
  checkMoment(value, place.split('.').at(-1) ?? place)
  return value
}

function checkMoment(value: unknown, name: string): void {
  if (typeof value === 'string' && seconds.test(value) && momentSchema().safeParse(value).success) return
  throw new ApiError(`${name} must be a date and time in RFC 3339, such as ${momentExample}`)
}

const moment: FieldKind = {
  column: () => 'TEXT',
  schema: ({ nullable }) => ({ type: nullable ? ['string', 'null'] : 'string', format: 'date-time' }),
  reader: () => readMoment,
  check: checkMoment,
}

const list: FieldKind = {
  column: () => 'JSON',
  schema: () => ({ type: ['array', 'null'], items: { type: 'string' } }),
  reader: (field, entity) => readerOf(structuredType(field, entity)),
}

const json: FieldKind = {
  column: () => 'JSON',
  schema: () => ({}),
  reader: (field, entity) => readerOf(structuredType(field, entity)),
}

const idSet: FieldKind = {
  column: () => 'JSON',
  schema: () => ({ type: ['object', 'null'], additionalProperties: { type: 'boolean' } }),
  reader: () => readerOf({ kind: 'map', key: 'uint64', of: { kind: 'bool' } }),
}

const flag: FieldKind = {
  column: () => 'FLAG',
  schema: () => ({ type: 'boolean' }),
  reader: () => readerOf({ kind: 'bool' }),
}

/** Codes that have a type of their own on real servers: their error messages name it. */
const typeNames: Readonly<Record<string, string | undefined>> = { 'user.role': 'model.Role' }

/** Most codes are numbers, and some are words. */
const areWords = ({ choices = {} }: FieldDescription) => Object.keys(choices).some((code) => !/^-?\d+$/.test(code))

const choice: FieldKind = {
  column: (field) => (areWords(field) ? 'TEXT' : 'INTEGER'),
  // Any code: records that are read may have one that forms refuse.
  schema: (field) => ({
    type: areWords(field) ? 'string' : 'integer',
    description: choicesText(field.choices ?? {}),
  }),
  reader: (field, entity) =>
    readerOf(areWords(field) ? { kind: 'string' } : { kind: 'uint8', name: typeNames[`${entity.name}.${field.name}`] }),
}

/** How the server stores, reads and describes each kind of field. A new kind is one entry here. */
export const fieldKinds: Record<Kind, FieldKind> = {
  text,
  multiline: text,
  url: text,
  secret: text,
  number,
  flag,
  choice,
  ref,
  refs,
  idSet,
  list,
  json,
  moment,
}

/** The wire type of a list or of another structured value, under the name that its schema gives to it. */
function structuredType({ name }: FieldDescription, entity: Entity): WireType {
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

/**
 * Reads the value of a field from the body of a request.
 * @param place the field as error messages name it: `Go struct field ServerForm.name`
 * @throws ApiError for a value of another type
 */
type FieldReader = (node: JsonNode, place: string) => unknown

/** What the server needs to know of a field kind. */
interface FieldKind {
  /** The type of its column in SQLite. */
  column(field: FieldDescription): Column['type']
  /** JSON Schema of its values as replies have them, for openapi.json. */
  schema(field: FieldDescription): Values
  reader(field: FieldDescription, entity: Entity): FieldReader
  /** Refuses values of an entity of our own that its schema would accept. @throws ApiError */
  check?(value: unknown, name: string): void
}

/** A reader that takes any value of a wire type. */
const readerOf =
  (type: WireType): FieldReader =>
  (node, place) =>
    readTyped(node, type, place)
