import { CronError } from './cronError.ts'

const secondsOf: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
}

/**
 * Reads a length of time as `1h30m`, `90s` or `500ms`.
 * @param expression the whole expression, for the error message
 * @returns whole seconds, at least 1, as on real servers
 * @throws CronError
 */
export function readCronDuration(text: string, expression: string): number {
  const invalidDuration = (reason: string) =>
    new CronError(`failed to parse duration ${expression}: time: ${reason} ${JSON.stringify(text)}`, 'duration')
  const [, sign, amount = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  if (amount === '0') return 1
  if (amount === '') throw invalidDuration('invalid duration')
  let seconds = 0
  let rest = amount
  while (rest !== '') {
    const [found, number = '', unit = ''] = /^(\d*\.?\d*)([^\d.]*)/.exec(rest) ?? []
    if (!/\d/.test(number)) throw invalidDuration('invalid duration')
    if (unit === '') throw invalidDuration('missing unit in duration')
    const size = secondsOf[unit]
    if (size === undefined) throw invalidDuration(`unknown unit ${JSON.stringify(unit)} in duration`)
    seconds += Number(number) * size
    rest = rest.slice(found?.length)
  }
  // Go keeps lengths of time as nanoseconds in 64 bits: about 292 years.
  if (seconds > 9_223_372_036) throw invalidDuration('invalid duration')
  return sign === '-' ? 1 : Math.max(1, Math.floor(seconds + 1e-9))
}
