import { isObject } from './values.ts'

/** The ways to the secrets within a value (`FieldFacts.secrets`). */
type Ways = readonly (readonly string[])[]

/** The value with an empty text in the place of each secret. */
export const withoutSecrets = (value: unknown, ways: Ways): unknown => mapSecrets(value, ways, () => '')

/** The value with what is stored in the place of each secret that it leaves empty. */
export const withStoredSecrets = (value: unknown, stored: unknown, ways: Ways): unknown =>
  mapSecrets(value, ways, (text, before) => text || before, stored)

/** The secrets in a value that are not empty. */
export function secretsIn(value: unknown, ways: Ways): string[] {
  const found: string[] = []
  mapSecrets(value, ways, (text) => {
    if (text) found.push(text)
    return text
  })
  return found
}

/**
 * The value with each secret as `map` has it.
 * @param other a value of the same shape, whose text in the same place `map` is given, too
 */
export const mapSecrets = (
  value: unknown,
  ways: Ways,
  map: (text: string, other: string) => string,
  other?: unknown,
): unknown => ways.reduce((mapped, way) => mapAt(mapped, way, other, map), value)

function mapAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  other: unknown,
  map: (text: string, other: string) => string,
): unknown {
  if (key === undefined) return typeof value === 'string' ? map(value, typeof other === 'string' ? other : '') : value
  if (!isObject(value)) return value
  const names = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : []
  const otherAt = (name: string) => (isObject(other) && Object.hasOwn(other, name) ? other[name] : undefined)
  return { ...value, ...Object.fromEntries(names.map((name) => [name, mapAt(value[name], rest, otherAt(name), map)])) }
}
