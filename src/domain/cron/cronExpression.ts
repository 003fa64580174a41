import { isTimeZone } from './timeZone.ts'

/**
 * An expression that cannot be read. `message` is what real servers answer
 * (docs/contract/CONTRACT.md#8-cron-expressions); `key` and `args` name the text that tells a person the same.
 */
export class CronError extends Error {
  readonly key: string
  readonly args: Readonly<Record<string, string | number>>

  constructor(message: string, reason: string, args: Readonly<Record<string, string | number>> = {}) {
    super(message)
    this.key = `validation.cron_${reason}`
    this.args = args
  }
}

/** When a task runs. */
export type CronExpression = EveryExpression | ClockExpression

/** At a fixed distance, counted from when the task was saved or the server started. */
interface EveryExpression {
  kind: 'every'
  seconds: number
}

/** At certain times of certain days. */
export interface ClockExpression {
  kind: 'clock'
  second: CronField
  minute: CronField
  hour: CronField
  dayOfMonth: CronField
  month: CronField
  dayOfWeek: CronField
  /** The six fields as text, a descriptor written out. */
  text: string
  /** The zone that the expression names; the server's own when it names none. */
  zone?: string
}

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 0 1 1 *',
  '@annually': '0 0 0 1 1 *',
  '@monthly': '0 0 0 1 * *',
  '@weekly': '0 0 0 * * 0',
  '@daily': '0 0 0 * * *',
  '@midnight': '0 0 0 * * *',
  '@hourly': '0 0 * * * *',
}

const every = '@every '

/**
 * Reads an expression as real servers do (docs/contract/CONTRACT.md#8-cron-expressions): six fields with seconds first,
 * a descriptor such as `@daily`, or `@every 90s`; before it a zone, `CRON_TZ=Asia/Tokyo`.
 *
 * @throws CronError where real servers refuse, with their text as its message
 */
export function parseCron(expression: string): CronExpression {
  if (expression === '') throw new CronError('empty spec string', 'empty')
  const { zone, spec } = splitZone(expression)
  if (spec.startsWith(every)) return { kind: 'every', seconds: readCronDuration(spec.slice(every.length), spec) }
  const text = spec.startsWith('@') ? descriptors[spec] : spec
  if (text === undefined) {
    throw new CronError(`unrecognized descriptor: ${spec}`, 'descriptor', { part: spec })
  }
  const texts = text.split(/\s+/).filter(Boolean)
  if (texts.length !== cronFields.length) {
    const found = texts.length
    throw new CronError(`expected exactly 6 fields, found ${found}: [${texts.join(' ')}]`, 'fields', { found })
  }
  const [second, minute, hour, dayOfMonth, month, dayOfWeek] = cronFields.map((range, index) =>
    readCronField(texts[index] as string, range),
  ) as [CronField, CronField, CronField, CronField, CronField, CronField]
  return { kind: 'clock', second, minute, hour, dayOfMonth, month, dayOfWeek, text: texts.join(' '), zone }
}

function splitZone(expression: string): { zone?: string; spec: string } {
  const [found, zone = ''] = /^(?:CRON_)?TZ=([^ ]*)/.exec(expression) ?? []
  if (found === undefined) return { spec: expression }
  if (zone !== '' && zone !== 'Local' && !isTimeZone(zone)) {
    throw new CronError(`provided bad location ${zone}: unknown time zone ${zone}`, 'zone', { zone })
  }
  // An empty zone is UTC, and `Local` the server's own.
  return { zone: zone === 'Local' ? undefined : zone || 'UTC', spec: expression.slice(found.length).trim() }
}

/** One of the six fields: its range, and words that stand for numbers. */
interface CronFieldRange {
  least: number
  most: number
  names?: Readonly<Record<string, number>>
}

interface CronField {
  /** The numbers it stands for, ascending. */
  values: readonly number[]
  /** Whether it is `*` or `?`: of two day fields, one that is open leaves the choice to the other. */
  isWildcard: boolean
}

const numbered = (words: string, from: number) =>
  Object.fromEntries(words.split(' ').map((word, index) => [word, index + from]))

/** In the order in which they stand. */
const cronFields: readonly CronFieldRange[] = [
  { least: 0, most: 59 },
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: numbered('jan feb mar apr may jun jul aug sep oct nov dec', 1) },
  { least: 0, most: 6, names: numbered('sun mon tue wed thu fri sat', 0) },
]

/**
 * Reads a comma-separated list of numbers, names, ranges and steps: `0-30/10`, `MON-FRI`, `*`, `5/15`.
 * @throws CronError
 */
function readCronField(text: string, range: CronFieldRange): CronField {
  const values = new Set<number>()
  let isWildcard = false
  for (const part of text.split(',').filter(Boolean)) {
    const { from, to, step, isWholeRange } = readPart(part, range)
    for (let value = from; value <= to; value += step) values.add(value)
    isWildcard ||= isWholeRange
  }
  return { values: [...values].sort((a, b) => a - b), isWildcard }
}

interface Part {
  from: number
  to: number
  step: number
  /** `*` without a step. */
  isWholeRange: boolean
}

function readPart(part: string, range: CronFieldRange): Part {
  const [bounds = '', stepText, ...moreSteps] = part.split('/')
  const [low = '', high, ...moreBounds] = bounds.split('-')
  const isStar = low === '*' || low === '?'
  // After a star real servers look at nothing up to the slash: `*-5` is `*`.
  const from = isStar ? range.least : readNumber(low, range.names)
  if (!isStar && moreBounds.length > 0) throw new CronError(`too many hyphens: ${part}`, 'hyphens', { part })
  let to = isStar ? range.most : high === undefined ? from : readNumber(high, range.names)
  if (moreSteps.length > 0) throw new CronError(`too many slashes: ${part}`, 'slashes', { part })
  const step = stepText === undefined ? 1 : readNumber(stepText)
  // `5/15` begins at 5 and goes on to the end.
  if (stepText !== undefined && high === undefined) to = range.most
  refuseOutside({ from, to, step, part }, range)
  return { from, to, step, isWholeRange: isStar && step === 1 }
}

function refuseOutside(
  { from, to, step, part }: { from: number; to: number; step: number; part: string },
  { least, most }: CronFieldRange,
): void {
  if (from < least) {
    throw new CronError(`beginning of range (${from}) below minimum (${least}): ${part}`, 'low', { part, least })
  }
  if (to > most) throw new CronError(`end of range (${to}) above maximum (${most}): ${part}`, 'high', { part, most })
  if (from > to) {
    throw new CronError(`beginning of range (${from}) beyond end of range (${to}): ${part}`, 'backwards', { part })
  }
  if (step === 0) throw new CronError(`step of range should be a positive number: ${part}`, 'step', { part })
}

function readNumber(text: string, names?: CronFieldRange['names']): number {
  const named = names?.[text.toLowerCase()]
  if (named !== undefined) return named
  const invalidField = (reason: string) =>
    new CronError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: ${reason}`,
      'number',
      {
        part: text,
      },
    )
  if (!/^[+-]?\d+$/.test(text)) throw invalidField('invalid syntax')
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw invalidField('value out of range')
  if (value < 0) throw new CronError(`negative number (${value}) not allowed: ${text}`, 'number', { part: text })
  return value
}

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
function readCronDuration(text: string, expression: string): number {
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
