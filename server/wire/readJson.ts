import { z } from 'zod'
import { ApiError } from './apiError.ts'

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
