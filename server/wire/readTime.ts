import { ApiError } from './apiCall.ts'

/** The parts of a date and time, each with the name that error messages give it. */
const parts: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^\d{2}/, '01'],
  [/^-/, '-'],
  [/^\d{2}/, '02'],
  [/^T/, 'T'],
  [/^\d{2}/, '15'],
  [/^:/, ':'],
  [/^\d{2}/, '04'],
  [/^:/, ':'],
  [/^\d{2}([.,]\d+)?/, '05'],
  [/^(Z|[+-]\d{2}:\d{2})/, 'Z07:00'],
]

/**
 * Reads a date and time in RFC 3339, the only format that real servers accept: `2025-01-01T00:00:00Z`.
 * @returns milliseconds since 1970
 * @throws ApiError that names the first wrong part
 */
export function readTime(text: string): number {
  const timeError = (reason: string) => new ApiError(`parsing time ${JSON.stringify(text)}${reason}`)
  const layout = ' as "2006-01-02T15:04:05Z07:00": cannot parse'
  let rest = text
  for (const [pattern, name] of parts) {
    const [found] = pattern.exec(rest) ?? []
    if (found === undefined) throw timeError(`${layout} ${JSON.stringify(rest)} as ${JSON.stringify(name)}`)
    rest = rest.slice(found.length)
  }
  if (rest !== '') throw timeError(`: extra text: ${JSON.stringify(rest)}`)
  const at = Date.parse(text.replace(',', '.'))
  // Dates roll over: the 30th of February would become a day in March.
  const day = Number(text.slice(8, 10))
  const daysOfMonth = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  if (Number.isNaN(at) || day < 1 || day > daysOfMonth) throw timeError(': day out of range')
  return at
}
