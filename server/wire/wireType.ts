/** What a value must be on the wire, named as the contract's servers name it: their clients see these names. */
export type WireType =
  | { kind: 'string' | 'bool' | 'float64' | 'any' }
  | { kind: 'int' | 'uint64' | 'uint8'; name?: string }
  | { kind: 'list'; of: WireType; name?: string }
  | { kind: 'map'; key: 'uint64' | 'string'; of: WireType }

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
