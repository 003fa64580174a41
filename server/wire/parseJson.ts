import { ApiError } from './apiCall.ts'
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

const zeros = { string: '', bool: false, float64: 0, int: 0, uint64: 0, uint8: 0, any: null, list: null, map: null }

/**
 * A value of the given type; `null` is the type's zero value.
 * @param place `Go value` or `Go struct field ServerForm.name`, as error messages name it
 * @throws ApiError `json: cannot unmarshal <what came> into <place> of type <type>`
 */
export function readTyped(node: JsonNode, type: WireType, place: string): unknown {
  if (node.kind === 'null') return zeros[type.kind]
  switch (type.kind) {
    case 'any':
      return plainValue(node)
    case 'list':
      if (node.kind === 'array') return itemsOf(node).map((item) => readTyped(item, type.of, place))
      break
    case 'map':
      if (node.kind === 'object') return readMap(entriesOf(node), type, place)
      break
    case 'string':
    case 'bool':
      if (node.kind === type.kind) return node.value
      break
    default:
      if (node.kind === 'number') return readNumber(node.text, type, place)
  }
  throw mismatch(node.kind, type, place)
}

export function mismatch(what: string, type: WireType | string, place: string): ApiError {
  const name = typeof type === 'string' ? type : nameOf(type)
  return new ApiError(`json: cannot unmarshal ${what} into ${place} of type ${name}`)
}

/** Ids and other whole numbers beyond 2^53 are out of range here: they could not be kept exactly. */
const ranges = {
  int: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint64: [0, Number.MAX_SAFE_INTEGER],
  uint8: [0, 255],
} as const

function readNumber(text: string, type: WireType, place: string): number {
  const value = Number(text)
  const range = type.kind in ranges ? ranges[type.kind as keyof typeof ranges] : undefined
  const fits = range ? /^-?\d+$/.test(text) && value >= range[0] && value <= range[1] : Number.isFinite(value)
  if (!fits) throw mismatch(`number ${text}`, type, place)
  return value + 0 // -0 is 0
}

function readMap(entries: [string, JsonNode][], type: WireType & { kind: 'map' }, place: string): unknown {
  const read = entries.map(([key, value]) => {
    const item = readTyped(value, type.of, place)
    return [type.key === 'string' ? key : String(readNumberKey(key, place)), item] as const
  })
  return Object.fromEntries(read)
}

function readNumberKey(key: string, place: string): number {
  return readNumber(key, { kind: 'uint64' }, place)
}

function plainValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
    case 'array':
      return JSON.parse(node.source)
    case 'number':
      return Number(node.text)
    case 'null':
      return null
    default:
      return node.value
  }
}

/** The type of a value in a request body, with the names that real servers use in their error messages. */
export type WireType =
  | { kind: 'string' | 'bool' | 'float64' | 'any' }
  | { kind: 'int' | 'uint64' | 'uint8'; name?: string }
  | { kind: 'list'; of: WireType; name?: string }
  | { kind: 'map'; key: 'uint64' | 'string'; of: WireType }

/** What a value of a wire type is once it was read. A list may come as `null`. */
export type ValueOf<Type extends WireType> = Type extends { kind: 'list'; of: infer Item extends WireType }
  ? ValueOf<Item>[] | null
  : Type extends { kind: 'string' }
    ? string
    : Type extends { kind: 'bool' }
      ? boolean
      : Type extends { kind: 'float64' | 'int' | 'uint64' | 'uint8' }
        ? number
        : unknown

/** `map[uint64][]string` and the like. */
function nameOf(type: WireType): string {
  switch (type.kind) {
    case 'list':
      return type.name ?? `[]${nameOf(type.of)}`
    case 'map':
      return `map[${type.key}]${nameOf(type.of)}`
    default:
      return ('name' in type && type.name) || type.kind
  }
}
