import { ApiError } from './apiError.ts'
import { type Cursor, endOfText, invalidCharacter, skipSpace } from './jsonCursor.ts'
import type { JsonNode } from './jsonNode.ts'
import { readLiteral, readNumber } from './jsonScalar.ts'
import { readString } from './jsonString.ts'

/** Real servers stop at 10000 levels; no form needs this many. */
const maxDepth = 1000

/**
 * Reads the first JSON value of a text; as on real servers, text after it is ignored.
 * @throws ApiError with the words of the contract's parser (docs/contract/CONTRACT.md#2-envelope-and-status-codes)
 */
export function parseJson(text: string): JsonNode {
  const cursor = { text, at: 0 }
  skipSpace(cursor)
  if (cursor.at === text.length) throw new ApiError('EOF')
  return readValue(cursor, 0)
}

function readValue(cursor: Cursor, depth: number): JsonNode {
  if (depth > maxDepth) throw new ApiError('exceeded max depth')
  skipSpace(cursor)
  const first = cursor.text[cursor.at]
  if (first === undefined) throw endOfText()
  if (first === '{') return readObject(cursor, depth)
  if (first === '[') return readArray(cursor, depth)
  if (first === '"') return { kind: 'string', value: readString(cursor) }
  if (first === '-' || (first >= '0' && first <= '9')) return { kind: 'number', text: readNumber(cursor) }
  return readLiteral(cursor)
}

function readArray(cursor: Cursor, depth: number): JsonNode {
  const start = cursor.at++
  const items: JsonNode[] = []
  if (!skips(cursor, ']')) {
    do items.push(readValue(cursor, depth + 1))
    while (continues(cursor, ']', 'after array element'))
  }
  return { kind: 'array', items, source: cursor.text.slice(start, cursor.at) }
}

function readObject(cursor: Cursor, depth: number): JsonNode {
  const start = cursor.at++
  const entries: [string, JsonNode][] = []
  if (!skips(cursor, '}')) {
    do entries.push(readEntry(cursor, depth))
    while (continues(cursor, '}', 'after object key:value pair'))
  }
  return { kind: 'object', entries, source: cursor.text.slice(start, cursor.at) }
}

function readEntry(cursor: Cursor, depth: number): [string, JsonNode] {
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== '"') throw invalidCharacter(cursor, 'looking for beginning of object key string')
  const key = readString(cursor)
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== ':') throw invalidCharacter(cursor, 'after object key')
  cursor.at++
  return [key, readValue(cursor, depth + 1)]
}

/** Skips `end` if it is the next character. @returns whether it was */
function skips(cursor: Cursor, end: string): boolean {
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== end) return false
  cursor.at++
  return true
}

/** After an element: `true` after a comma, `false` after `end`. @throws ApiError for anything else */
function continues(cursor: Cursor, end: string, where: string): boolean {
  if (skips(cursor, end)) return false
  if (cursor.text[cursor.at] !== ',') throw invalidCharacter(cursor, where)
  cursor.at++
  return true
}
