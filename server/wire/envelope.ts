import type { Envelope } from '../../src/schemas/define/envelope.ts'

/** The reply to a successful call: `data` is left out when it is 0, '', null or an empty list, but not when it is `{}`
 * (docs/contract/CONTRACT.md#2-envelope-and-status-codes). */
export function success(data?: unknown): Envelope {
  const isOmitted = data === undefined || data === null || data === 0 || data === ''
  return isOmitted || (Array.isArray(data) && data.length === 0) ? { success: true } : { success: true, data }
}
