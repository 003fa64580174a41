/** Values by the names of their fields. */
export type Values = Readonly<Record<string, unknown>>

/** Whether something that was read, such as JSON, is an object with named values; a list is none. */
export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What was read, where it is an object with named values; anything else has none. */
export const fieldsIn = (value: unknown): Values => (isObject(value) ? value : {})

/** The keys of an object that has no others than its type says. */
export const keysOf = <T extends object>(value: T): Extract<keyof T, string>[] =>
  Object.keys(value) as Extract<keyof T, string>[]

/**
 * Whether two field values mean the same: numbers may stand as text in an input, key order does not count, and
 * absent, null and empty text are all "nothing".
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (isBlank(a) && isBlank(b)) return true
  if (typeof a === 'number' && typeof b === 'string') return b.trim() !== '' && a === Number(b)
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false
  const entries = Object.entries(a)
  return (
    entries.length === Object.keys(b).length && entries.every(([key, value]) => sameValue(value, Reflect.get(b, key)))
  )
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ''
