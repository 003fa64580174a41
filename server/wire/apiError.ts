import { z } from 'zod'
import type { BodyOf, Endpoint } from '../../src/schemas/define/endpoint.ts'

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
