import { fieldsIn } from '../../src/schemas/define/values.ts'
import { ApiError } from './apiError.ts'
import { parseJson } from './parseJson.ts'
import { readTyped } from './readTyped.ts'
import type { WireType } from './wireType.ts'

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
