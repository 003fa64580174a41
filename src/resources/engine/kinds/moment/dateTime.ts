import { zeroTime } from '../../../../schemas/define/wireNames.ts'

/** Whether a value of the wire names no point in time: absent, or the zero time that stands for "never". */
export const isNoTime = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === zeroTime

/** Milliseconds since 1970 of an RFC 3339 text, with the digits behind them; `undefined` for what names no time. */
export function timeOf(value: unknown): number | undefined {
  if (isNoTime(value)) return undefined
  const text = String(value)
  const at = Date.parse(text)
  if (Number.isNaN(at)) return undefined
  const beyond = /\.\d{3}(\d+)/.exec(text)?.[1]
  return beyond ? at + Number(`0.${beyond}`) : at
}

/**
 * A point in time as `<input type="datetime-local">` holds it: on the clock of this browser, to the second, in the
 * input's shortest spelling (`2026-01-31T09:30`, `2026-01-31T09:30:15`). Empty for what names no time.
 */
export function toLocalText(value: unknown): string {
  const at = timeOf(value)
  if (at === undefined) return ''
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return shortest(`${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`)
}

/** Browsers differ in whether they write seconds that are zero. */
const shortest = (text: string) => text.replace(/(T\d\d:\d\d):00(\.0+)?$/, '$1')

/**
 * What was typed on the clock of this browser, as the wire has it: RFC 3339 in UTC. A time that clocks skip in spring
 * is read as if they had not been changed yet. What is no time stays as it is, for the schema to refuse.
 * @param before the earlier value: of a time that clocks show twice in autumn, the one with its UTC offset is meant
 */
export function fromLocalText(text: string, before?: unknown): string {
  const date = new Date(text)
  if (Number.isNaN(date.valueOf())) return text
  const earlier = timeOf(before)
  if (earlier !== undefined) {
    const shift = new Date(earlier).getTimezoneOffset() - date.getTimezoneOffset()
    const other = new Date(date.valueOf() + shift * 60_000).toISOString()
    if (toLocalText(other) === shortest(text)) return withoutZeros(other)
  }
  return withoutZeros(date.toISOString())
}

const withoutZeros = (iso: string) => iso.replace('.000Z', 'Z')

/**
 * The text for the wire after an edit. While it means the same second as the value that was opened, it is that value
 * byte for byte: with its own UTC offset and all digits of its fraction.
 * @param text what the input holds
 * @param opened the value before the edit began
 * @param before the value just before this change
 */
export function editedTime(text: string, opened: unknown, before: unknown): unknown {
  if (shortest(text) === toLocalText(opened)) return opened
  return text === '' ? '' : fromLocalText(text, before)
}

/** The time zone of this browser and, for a point in time, its UTC offset then: `Europe/Berlin, UTC+1`. */
export function zoneText(value: unknown): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const at = timeOf(value)
  if (at === undefined || zone === 'UTC') return zone
  const minutes = Math.round(-new Date(at).getTimezoneOffset())
  const hours = Math.floor(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  const offset = rest ? `${hours}:${String(rest).padStart(2, '0')}` : String(hours)
  return `${zone}, UTC${minutes === 0 ? '' : `${minutes < 0 ? '-' : '+'}${offset}`}`
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
