import { ApiError } from './apiError.ts'
import { type Cursor, continues, opensEmpty, skipKey, skipSpace, skipValue } from './jsonScanner.ts'

/**
 * One JSON value as it was written. Numbers keep their text, because error messages quote it and because it may be
 * more than a JavaScript number holds. Of an object or an array there is the text alone: what is in it is read by
 * `entriesOf` and `itemsOf` where somebody asks, so that a value that nobody reads costs nothing.
 */
export type JsonNode =
  | { kind: 'object'; source: string }
  | { kind: 'array'; source: string }
  | { kind: 'string'; value: string }
  | { kind: 'number'; text: string }
  | { kind: 'bool'; value: boolean }
  | { kind: 'null' }

/**
 * Reads the first JSON value of a text; as on real servers, text after it is ignored.
 * @throws ApiError with the words of the contract's parser (docs/contract/CONTRACT.md#2-envelope-and-status-codes)
 */
export function parseJson(text: string): JsonNode {
  const cursor = { text, at: 0, values: 0 }
  skipSpace(cursor)
  if (cursor.at === text.length) throw new ApiError('EOF')
  return readNode(cursor)
}

/** The members of an object in the order of the text; a key that comes twice is there twice. */
export function entriesOf({ source }: JsonNode & { kind: 'object' }): [key: string, value: JsonNode][] {
  const cursor = { text: source, at: 0, values: 0 }
  const entries: [string, JsonNode][] = []
  const end = 0x7d // }
  if (opensEmpty(cursor, end)) return entries
  do {
    const [start, endOfKey] = skipKey(cursor)
    entries.push([textOf(source, start, endOfKey), readNode(cursor)])
  } while (continues(cursor, end, 'after object key:value pair'))
  return entries
}

/** The items of an array. */
export function itemsOf({ source }: JsonNode & { kind: 'array' }): JsonNode[] {
  const cursor = { text: source, at: 0, values: 0 }
  const items: JsonNode[] = []
  const end = 0x5d // ]
  if (opensEmpty(cursor, end)) return items
  do items.push(readNode(cursor))
  while (continues(cursor, end, 'after array element'))
  return items
}

function readNode(cursor: Cursor): JsonNode {
  skipSpace(cursor)
  const start = cursor.at
  skipValue(cursor)
  const { text, at: end } = cursor
  switch (text[start]) {
    case '{':
      return { kind: 'object', source: text.slice(start, end) }
    case '[':
      return { kind: 'array', source: text.slice(start, end) }
    case '"':
      return { kind: 'string', value: textOf(text, start, end) }
    case 't':
      return { kind: 'bool', value: true }
    case 'f':
      return { kind: 'bool', value: false }
    case 'n':
      return { kind: 'null' }
    default:
      return { kind: 'number', text: text.slice(start, end) }
  }
}

/** What a string says that is written with its quotes. Lone surrogates become the replacement character. */
function textOf(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end - 1)
  return (written.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : written).toWellFormed()
}
