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
