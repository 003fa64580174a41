import type { Envelope } from '../../src/schemas/define/envelope.ts'
import { fieldsIn, keysOf } from '../../src/schemas/define/values.ts'

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

const defaultLimit = 25

/** The page that a query asks for, as lists are paged (docs/contract/CONTRACT.md#512-waf-and-online-users). */
export function pageIn(query: unknown): { offset: number; limit: number } {
  const { offset, limit } = fieldsIn(query)
  return { offset: readCount(offset), limit: readCount(limit) || defaultLimit }
}

/** The `data` of a page. */
export const pageReply = <Item>(
  { rows, total }: { rows: readonly Item[]; total: number },
  offset: number,
  limit: number,
) => ({
  ...(rows.length > 0 && { value: [...rows] }),
  pagination: withoutEmpty({ offset, limit, total }),
})

/** Anything but a whole number counts as not given. */
const readCount = (text: unknown) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0)

/** The reply to a successful call: `data` is left out when it is 0, '', null or an empty list, but not when it is `{}`
 * (docs/contract/CONTRACT.md#2-envelope-and-status-codes). */
export function success(data?: unknown): Envelope {
  const isOmitted = data === undefined || data === null || data === 0 || data === ''
  return isOmitted || (Array.isArray(data) && data.length === 0) ? { success: true } : { success: true, data }
}
