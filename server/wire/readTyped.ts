import { ApiError } from './apiError.ts'
import { entriesOf, itemsOf, type JsonNode } from './parseJson.ts'
import { nameOf, type WireType } from './wireType.ts'

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
