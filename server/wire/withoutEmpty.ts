import { keysOf } from '../../src/schemas/define/values.ts'

/** The object without the members that the contract omits: zero, '', false, null, an empty list. */
export function withoutEmpty<T extends object>(value: T): Partial<T> {
  // A loop, because thousands of machines report every few seconds.
  const filled: Partial<T> = {}
  for (const name of keysOf(value)) if (!isEmpty(value[name])) filled[name] = value[name]
  return filled
}

/** Whether the contract leaves a value out of a reply. */
export function isEmpty(value: unknown): boolean {
  if (!value) return true
  return Array.isArray(value) && value.length === 0
}
