import { ApiError } from './apiError.ts'

/** The parts of a moment, each with the name that refusals give it. */
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
 * A moment in the one form that servers read, RFC 3339: `2025-01-01T00:00:00Z`.
 * @returns milliseconds since 1970
 * @throws ApiError that names the first part that does not fit
 */
export function readTime(text: string): number {
  const refusal = (reason: string) => new ApiError(`parsing time ${JSON.stringify(text)}${reason}`)
  const layout = ' as "2006-01-02T15:04:05Z07:00": cannot parse'
  let rest = text
  for (const [pattern, name] of parts) {
    const [found] = pattern.exec(rest) ?? []
    if (found === undefined) throw refusal(`${layout} ${JSON.stringify(rest)} as ${JSON.stringify(name)}`)
    rest = rest.slice(found.length)
  }
  if (rest !== '') throw refusal(`: extra text: ${JSON.stringify(rest)}`)
  const at = Date.parse(text.replace(',', '.'))
  // Dates roll over: the 30th of February would become a day in March.
  const day = Number(text.slice(8, 10))
  const daysOfMonth = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  if (Number.isNaN(at) || day < 1 || day > daysOfMonth) throw refusal(': day out of range')
  return at
}
