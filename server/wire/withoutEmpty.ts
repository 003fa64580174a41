/** The object without the members that the contract omits: zero, '', false, null, an empty list. */
export function withoutEmpty<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => !isEmpty(member))) as Partial<T>
}

/** Whether the contract leaves a value out of a reply. */
export function isEmpty(value: unknown): boolean {
  if (!value) return true
  return Array.isArray(value) && value.length === 0
}
