import { fieldsIn } from '../../src/schemas/define/values.ts'
import { jsonObject } from '../wire/jsonObject.ts'
import type { Reply } from './reply.ts'

/** Milliseconds: a receiver that asks for more is called again after this time. */
export const longestRetryAfterMs = 3_600_000

/** Statuses with which a receiver says that it is called too often, or not able to answer now. */
const busyStatuses: readonly number[] = [429, 503]

/**
 * How long a receiver asks to be left alone, in milliseconds: by the header `Retry-After`, in seconds or as a date, or by
 * `retry_after` in its JSON, in seconds, which Telegram has in `parameters`.
 * @param now milliseconds since 1970
 * @returns `undefined` for other statuses, and where it says nothing that can be read
 */
export function retryAfterMs({ code, retryAfter, body }: Pick<Reply, 'code' | 'retryAfter' | 'body'>, now: number) {
  if (!busyStatuses.includes(code)) return undefined
  const asked = headerMs(retryAfter, now) ?? bodyMs(body)
  return asked === undefined ? undefined : Math.min(Math.max(asked, 0), longestRetryAfterMs)
}

function headerMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  // As RFC 9110 has dates: with a name of the month. Numbers of any other kind are not taken for years.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : date - now
}

function bodyMs(body: string): number | undefined {
  if (!body.includes('retry_after')) return undefined
  const value = jsonObject(body)
  const seconds = value?.retry_after ?? fieldsIn(value?.parameters).retry_after
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1000 : undefined
}
