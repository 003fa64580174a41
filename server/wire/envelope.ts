import type { Envelope } from '../../src/schemas/define/envelope.ts'

/** A success as the wire has it: `data` is left out when it is 0, '', an empty list or nothing; `{}` stays. */
export function success(data?: unknown): Envelope {
  const isNothing = data === undefined || data === null || data === 0 || data === ''
  return isNothing || (Array.isArray(data) && data.length === 0) ? { success: true } : { success: true, data }
}
