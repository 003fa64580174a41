import { readCronDuration } from './cronDuration.ts'
import { CronError } from './cronError.ts'
import { type CronField, cronFields, readCronField } from './cronField.ts'
import { isTimeZone } from './timeZone.ts'

/** When a task runs. */
export type CronExpression = EveryExpression | ClockExpression

/** At a fixed distance, counted from when the task was saved or the server started. */
export interface EveryExpression {
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
