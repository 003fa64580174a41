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
