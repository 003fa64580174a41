import { CronError } from './cronError.ts'

/** One of the six fields: its range, and words that stand for numbers. */
export interface CronFieldRange {
  least: number
  most: number
  names?: Readonly<Record<string, number>>
}

export interface CronField {
  /** The numbers it stands for, ascending. */
  values: readonly number[]
  /** Whether it is `*` or `?`: of two day fields, one that is open leaves the choice to the other. */
  isWildcard: boolean
}

const numbered = (words: string, from: number) =>
  Object.fromEntries(words.split(' ').map((word, index) => [word, index + from]))

/** In the order in which they stand. */
export const cronFields: readonly CronFieldRange[] = [
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
export function readCronField(text: string, range: CronFieldRange): CronField {
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
