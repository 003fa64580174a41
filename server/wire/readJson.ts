import { z } from 'zod'
import { ApiError } from './apiError.ts'

/** Reads the body of a call that only this server has. @throws ApiError when it is not JSON */
export function readJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body ?? ''))
  } catch {
    throw new ApiError('the body is not valid JSON')
  }
}

const idList = z.array(z.int().min(0)).nullable()

/** Reads a list of ids, or `null` for none, in the body of a call that only this server has. @throws ApiError */
export function readIdList(body: unknown): number[] {
  const { success, data } = idList.safeParse(readJson(body))
  if (!success) throw new ApiError('the body must be a list of ids')
  return data ?? []
}
