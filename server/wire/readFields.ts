import { fieldsIn } from '../../src/schemas/define/values.ts'
import { ApiError } from './apiCall.ts'
import { entriesOf, type JsonNode, mismatch, parseJson, readTyped, type ValueOf, type WireType } from './parseJson.ts'

type Types = Readonly<Record<string, WireType>>
type FieldsOf<T extends Types> = { [Name in keyof T]?: ValueOf<T[Name]> }

/**
 * Reads the body of a call outside CRUD that takes an object. A key that was left out is `undefined`; unknown keys are
 * ignored, and names match in any case.
 * @param name the name of the object in error messages, such as `ServerConfigForm`
 * @throws ApiError in the contract's words
 */
export function readFields<const T extends Types>(body: unknown, name: string, types: T): FieldsOf<T> {
  const node = parseJson(typeof body === 'string' ? body : '')
  if (node.kind === 'null') return {}
  if (node.kind !== 'object') throw mismatch(node.kind, `model.${name}`, 'Go value')
  return readMembers(entriesOf(node), name, types, (value) => value)
}

/**
 * The same for an object that has been parsed already, as a part of a larger body. Its texts, which may be long, are
 * taken as they are.
 */
export function readParsedFields<const T extends Types>(value: unknown, name: string, types: T): FieldsOf<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return readFields(JSON.stringify(value), name, types)
  }
  return readMembers(Object.entries(value), name, types, (member) =>
    typeof member === 'string' ? { kind: 'string', value: member.toWellFormed() } : parseJson(JSON.stringify(member)),
  )
}

function readMembers<Member, const T extends Types>(
  members: readonly (readonly [key: string, value: Member])[],
  name: string,
  types: T,
  toNode: (value: Member) => JsonNode,
): FieldsOf<T> {
  const fields: { [name: string]: unknown } = {}
  for (const [key, value] of members) {
    const field = key.toLowerCase()
    const type = Object.hasOwn(types, field) ? types[field] : undefined
    if (type) fields[field] = readTyped(toNode(value), type, `Go struct field ${name}.${field}`)
  }
  return fields as FieldsOf<T>
}

const idList: WireType = { kind: 'list', of: { kind: 'uint64' } }
const textList: WireType = { kind: 'list', of: { kind: 'string' } }

/**
 * Reads the body of a batch call: a list of ids, or `null` for none.
 * @throws ApiError in the contract's words
 */
export function readIds(body: unknown): number[] {
  return listOf(body, idList).filter((id) => typeof id === 'number')
}

/** Reads the body of a batch call that takes texts, such as addresses. @throws ApiError in the contract's words */
export function readTexts(body: unknown): string[] {
  return listOf(body, textList).filter((text) => typeof text === 'string')
}

function listOf(body: unknown, type: WireType): unknown[] {
  const list = readTyped(parseJson(typeof body === 'string' ? body : ''), type, 'Go value')
  return Array.isArray(list) ? list : []
}

/**
 * Reads the id of a path.
 * @throws ApiError `strconv.ParseUint: parsing "abc": invalid syntax`
 */
export function readPathId(text: string): number {
  const id = Number(text)
  if (!/^\d+$/.test(text)) throw new ApiError(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`)
  if (!Number.isSafeInteger(id)) throw new ApiError(`strconv.ParseUint: parsing "${text}": value out of range`)
  return id
}

/** The ids of `?id=1,2`. Anything but a number is ignored. */
export function readQueryIds(query: unknown): Set<number> {
  const text = fieldsIn(query).id
  if (typeof text !== 'string') return new Set()
  return new Set(text.split(',').flatMap((part) => (/^\d+$/.test(part) ? [Number(part)] : [])))
}
