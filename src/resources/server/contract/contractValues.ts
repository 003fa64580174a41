import { readBytes } from '../../../domain/contract/readBytes.ts'

/** The bytes of a text such as `1.5 TB`, 0 for none; the text itself where it says none. */
export const readQuota = (text: string): number | string => (text.trim() === '' ? 0 : (readBytes(text) ?? text))

/** The number of a text with a point or a comma; the text itself where it is none. */
export function readNumber(text: string): number | string {
  const number = Number(text.replace(',', '.'))
  return text.trim() === '' || Number.isNaN(number) ? text : number
}

/** The day of a moment, for an input of dates; empty for none. */
export const dayOf = (moment: unknown) => /^\d{4}-\d\d-\d\d/.exec(String(moment ?? ''))?.[0] ?? ''

/** The same time on another day; a new one is the end of the day. */
export function onDay(moment: unknown, day: string): string {
  if (day === '') return ''
  const time = /^\d{4}-\d\d-\d\d(T.+)$/.exec(String(moment ?? ''))?.[1]
  return `${day}${time ?? 'T23:59:59Z'}`
}
