import { choicesText, type FieldDescription, type Kind } from '../../../src/schemas/define/describe.ts'
import { moment as momentSchema } from '../../../src/schemas/define/fields.ts'
import { ApiError } from '../../wire/apiError.ts'
import type { WireType } from '../../wire/wireType.ts'
import { type FieldKind, type FieldReader, readerOf } from './fieldKind.ts'
import { structuredType } from './structuredType.ts'

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
