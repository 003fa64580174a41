/** A recorded terminal: asciicast v2. */
export interface Cast {
  width: number
  height: number
  events: readonly CastEvent[]
  /** Seconds. */
  duration: number
}

export interface CastEvent {
  /** Seconds since the beginning. */
  at: number
  kind: 'output' | 'resize'
  /** What was printed, or `COLSxROWS`. */
  data: string
}

/** Seconds of a pause that stay when idle time is skipped. */
const maxIdle = 1

/** The file is no asciicast of version 2. */
export class CastProblem extends Error {}

/**
 * Reads the file. Lines that are no events, and events of other kinds, are left out.
 * @throws CastProblem when its first line is not that of a recording
 */
export function parseCast(file: string): Cast {
  const [first = '', ...lines] = file.split('\n')
  const header = parseJson(first)
  if (!isHeader(header)) throw new CastProblem('This is no asciicast of version 2.')
  const events = lines.flatMap((line): CastEvent[] => {
    const event = parseJson(line)
    if (!Array.isArray(event)) return []
    const [at, code, data]: unknown[] = event
    if (typeof at !== 'number' || typeof data !== 'string' || (code !== 'o' && code !== 'r')) return []
    return [{ at, kind: code === 'o' ? 'output' : 'resize', data }]
  })
  return { width: header.width, height: header.height, events, duration: events.at(-1)?.at ?? 0 }
}

const isHeader = (value: unknown): value is { version: 2; width: number; height: number } =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  value.version === 2 &&
  'width' in value &&
  typeof value.width === 'number' &&
  'height' in value &&
  typeof value.height === 'number'

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The same with pauses of a second at most. */
export function withoutIdle({ events, ...cast }: Cast): Cast {
  let before = 0
  let at = 0
  const shortened = events.map((event) => {
    at += Math.min(maxIdle, Math.max(0, event.at - before))
    before = event.at
    return { ...event, at }
  })
  return { ...cast, events: shortened, duration: at }
}

/** Rows and columns of an event of the kind `resize`. */
export function sizeOf(data: string): { cols: number; rows: number } | undefined {
  const [, cols, rows] = /^(\d{1,4})x(\d{1,4})$/.exec(data) ?? []
  return cols && rows ? { cols: Number(cols), rows: Number(rows) } : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told begins with escape
const sequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])/g

/**
 * Makes the search in what was printed: upper and lower case are the same, and a text may have come in several pieces.
 * @returns the next time in seconds at which a text was printed after another time, from the beginning again after the
 *   last one; `undefined` where it never was
 */
export function searchCast({ events }: Cast): (text: string, after: number) => number | undefined {
  const starts: number[] = []
  const times: number[] = []
  let printed = ''
  for (const { at, kind, data } of events) {
    if (kind !== 'output') continue
    starts.push(printed.length)
    times.push(at)
    printed += data.replace(sequences, '').toLowerCase()
  }
  return (text, after) => {
    const wanted = text.toLowerCase()
    if (wanted === '') return undefined
    const timeAt = (index: number) => times[starts.findLastIndex((start) => start <= index)]
    const first = times.findIndex((time) => time > after)
    const found = first < 0 ? -1 : printed.indexOf(wanted, Math.max(0, (starts[first] ?? 0) - wanted.length + 1))
    const index = found < 0 ? printed.indexOf(wanted) : found
    return index < 0 ? undefined : timeAt(index + wanted.length - 1)
  }
}
