import { isTimeZone } from '../../domain/cron/timeZone.ts'
import { line } from '../define/fields.ts'
import { zeroTime } from '../define/wireNames.ts'

/** Whether a value of the wire is not a point in time: absent, or the zero time that stands for "never". */
export const isNoTime = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === zeroTime

/** Milliseconds since 1970 of an RFC 3339 text, fractions included; `undefined` for a text that is not a time. */
export function timeOf(value: unknown): number | undefined {
  if (isNoTime(value)) return undefined
  const text = String(value)
  const at = Date.parse(text)
  if (Number.isNaN(at)) return undefined
  const beyond = /\.\d{3}(\d+)/.exec(text)?.[1]
  return beyond ? at + Number(`0.${beyond}`) : at
}

const ends = '/'

/** A filter by time: two points in time with `/` between them, as ISO 8601 writes an interval. Both may be left out. */
export const rangeOf = (from: string, to: string): string => (from || to ? `${from}${ends}${to}` : '')

/** Both ends of a filter as they are written; empty where there is none. */
export const endsOf = (range: string): [from: string, to: string] => {
  const [from = '', to = ''] = range.split(ends)
  return [from, to]
}

/** Both ends of a filter in milliseconds since 1970. It ends with the second that is written: `to` is not part of it. */
export function readRange(range: string): { from?: number; to?: number } {
  const [from, to] = endsOf(range).map(timeOf)
  return { from, to: to === undefined ? undefined : to + 1000 }
}

/** The zone of its clocks; empty for that of the server. */
export const timeZone = () =>
  line()
    .refine((zone) => zone === '' || isTimeZone(zone), { params: { key: 'validation.time_zone' } })
    .default('')
