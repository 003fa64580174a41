import { timeOf } from '../../../schemas/formats/time.ts'

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
