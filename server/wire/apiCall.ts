import { z } from 'zod'
import type { BodyOf, Endpoint } from '../../src/schemas/define/endpoint.ts'
import type { Envelope } from '../../src/schemas/define/envelope.ts'
import { fieldsIn, keysOf } from '../../src/schemas/define/values.ts'

/**
 * The request is answered with `{ "error": message }`. The message is the contract's text; most errors travel with
 * HTTP 200, as real servers send them (docs/contract/CONTRACT.md#2-envelope-and-status-codes).
 */
export class ApiError extends Error {
  readonly status: number

  constructor(message: string, status = 200) {
    super(message)
    this.status = status
  }
}

/** Reads the body of a call that only this server has. @throws ApiError when it is not JSON */
export function readJson(body: unknown): unknown {
  let value: unknown
  try {
    value = JSON.parse(String(body ?? ''))
  } catch {
    throw new ApiError('the body is not valid JSON')
  }
  if (isDeeperThan(maxDepth, value)) throw new ApiError(`the body is nested deeper than ${maxDepth} levels`)
  return value
}

/** Deeper values could not be written again: `JSON.stringify` is recursive. */
const maxDepth = 1000

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member)))

const idList = z.array(z.int().min(0)).nullable()

/** Reads a list of ids, or `null` for none, in the body of a call that only this server has. @throws ApiError */
export function readIdList(body: unknown): number[] {
  const { success, data } = idList.safeParse(readJson(body))
  if (!success) throw new ApiError('the body must be a list of ids')
  return data ?? []
}

/** Makes the reader of the body of a call that only this server has. It throws an ApiError that names the wrong field. */
export const bodyReader =
  <E extends Endpoint>({ body: schema }: E) =>
  (text: unknown): BodyOf<E> => {
    const result = (schema as z.ZodType<BodyOf<E>>).safeParse(readJson(text))
    if (result.success) return result.data
    const [issue] = result.error.issues
    throw new ApiError(`${issue?.path.join('.') || 'the body'} is not valid: ${issue?.message}`)
  }

/** The time in RFC 3339, UTC, with up to nine digits of a second: real servers write nanoseconds, and clients sort by it. */
export function timestamp(at = performance.timeOrigin + performance.now()): string {
  const whole = Math.floor(at)
  const nanoseconds = Math.floor((at - whole) * 1e6)
  const fraction = String((whole % 1000) * 1e6 + nanoseconds)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${new Date(whole).toISOString().slice(0, 19)}${fraction && `.${fraction}`}Z`
}

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
