/** One thing that happened in a recorded terminal. */
export interface CastEvent {
  kind: 'output' | 'resize'
  /** What was printed, or `COLSxROWS`. */
  data: string
}

/** Seconds of a pause that stay when idle time is skipped. */
const maxIdle = 1

/** The file is no asciicast of version 2. */
export class CastProblem extends Error {}

const decoder = new TextDecoder()
const newline = 0x0a
const closingBracket = 0x5d

interface CastParts {
  width: number
  height: number
  bytes: Uint8Array
  starts: Uint32Array
  times: Float64Array
  resizes: readonly number[]
}

/**
 * A recorded terminal, asciicast v2: the bytes of its file, and where in them each event begins and when it came. A long
 * recording has a million events; only what is drawn becomes objects and texts.
 */
export class Cast {
  /** Of the screen at the beginning, in characters. */
  readonly width: number
  readonly height: number
  readonly #bytes: Uint8Array
  readonly #starts: Uint32Array
  readonly #times: Float64Array
  /** Which events change the size of the screen. */
  readonly #resizes: readonly number[]

  constructor({ width, height, bytes, starts, times, resizes }: CastParts) {
    this.width = width
    this.height = height
    this.#bytes = bytes
    this.#starts = starts
    this.#times = times
    this.#resizes = resizes
  }

  /** Number of its events. */
  get count(): number {
    return this.#starts.length
  }

  /** Seconds. */
  get duration(): number {
    return this.#times.at(-1) ?? 0
  }

  /** Seconds from the beginning to an event; 0 where there is none. */
  timeOf(index: number): number {
    return this.#times[index] ?? 0
  }

  /** Bytes of the file before an event; all of them where there is none any more. */
  offsetOf(index: number): number {
    return this.#starts[index] ?? this.#bytes.length
  }

  /** How many events have come by a time, in seconds. */
  countAt(at: number): number {
    return firstIndex(this.count, (index) => this.timeOf(index) > at)
  }

  /** How many events begin in so many bytes of the file. */
  countBefore(offset: number): number {
    return firstIndex(this.count, (index) => this.offsetOf(index) >= offset)
  }

  event(index: number): CastEvent {
    const start = this.offsetOf(index)
    const end = this.#bytes.indexOf(newline, start)
    const line = decoder.decode(this.#bytes.subarray(start, end < 0 ? undefined : end))
    const event = parseJson(line)
    // A line that only looks like an event prints nothing.
    if (!Array.isArray(event)) return { kind: 'output', data: '' }
    const [, code, data]: unknown[] = event
    return { kind: code === 'r' ? 'resize' : 'output', data: typeof data === 'string' ? data : '' }
  }

  /** The size of the screen after so many events, in characters. */
  sizeAfter(count: number): { cols: number; rows: number } {
    const last = this.#resizes.findLast((index) => index < count)
    const size = last === undefined ? undefined : sizeOf(this.event(last).data)
    return size ?? { cols: this.width, rows: this.height }
  }

  /** The same with pauses of a second at most. */
  withoutIdle(): Cast {
    let before = 0
    let at = 0
    const times = this.#times.map((time) => {
      at += Math.min(maxIdle, time - before)
      before = time
      return at
    })
    const { width, height } = this
    return new Cast({ width, height, bytes: this.#bytes, starts: this.#starts, times, resizes: this.#resizes })
  }
}

/** The first index for which it is true, in a row where it stays true from then on. */
function firstIndex(count: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The beginning of an event that is drawn: its time, and what kind it is. */
const eventStart = /^\[\s*(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*,\s*"([or])"\s*,/
/** Bytes in which that stands. */
const startBytes = 48

/**
 * Reads the file. Lines that are no events, and events of other kinds, are left out.
 * @throws CastProblem when its first line is not that of a recording
 */
export function readCast(bytes: Uint8Array): Cast {
  const headerEnd = bytes.indexOf(newline)
  const first = bytes.subarray(0, headerEnd < 0 ? bytes.length : headerEnd)
  const header = parseJson(decoder.decode(first))
  if (!isHeader(header)) throw new CastProblem('This is no asciicast of version 2.')
  const lines = countOf(bytes, newline) + 1
  const [starts, times] = [new Uint32Array(lines), new Float64Array(lines)]
  const latin = new TextDecoder('latin1')
  const resizes: number[] = []
  let count = 0
  let at = 0
  for (let start = first.length + 1; start < bytes.length; ) {
    const found = bytes.indexOf(newline, start)
    const end = found < 0 ? bytes.length : found
    const [, time, code] = eventStart.exec(latin.decode(bytes.subarray(start, Math.min(end, start + startBytes)))) ?? []
    if (time !== undefined && bytes[end - 1] === closingBracket) {
      at = Math.max(at, Number(time))
      starts[count] = start
      times[count] = at
      if (code === 'r') resizes.push(count)
      count += 1
    }
    start = end + 1
  }
  const { width, height } = header
  return new Cast({ width, height, bytes, starts: starts.slice(0, count), times: times.slice(0, count), resizes })
}

function countOf(bytes: Uint8Array, value: number): number {
  let count = 0
  for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + 1)) count += 1
  return count
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

/** Rows and columns of an event of the kind `resize`. */
export function sizeOf(data: string): { cols: number; rows: number } | undefined {
  const [, cols, rows] = /^(\d{1,4})x(\d{1,4})$/.exec(data) ?? []
  return cols && rows ? { cols: Number(cols), rows: Number(rows) } : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told begins with escape
const sequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])/g

/** Bytes that are searched before the page may draw a frame. */
const sliceBytes = 256 * 1024

/**
 * Searches what was printed: upper and lower case are the same, and a text may have come in several pieces.
 * @param after seconds
 * @returns the next time in seconds at which the text was printed after that, from the beginning again after the last
 *   one; `undefined` where it never was
 */
export async function searchCast(cast: Cast, text: string, after: number): Promise<number | undefined> {
  const wanted = text.toLowerCase()
  if (wanted === '') return undefined
  const first = cast.countAt(after)
  return (await searchEvents(cast, wanted, first, cast.count)) ?? (await searchEvents(cast, wanted, 0, first))
}

async function searchEvents(cast: Cast, wanted: string, from: number, to: number): Promise<number | undefined> {
  const overlap = wanted.length - 1
  let before = ''
  for (let index = from - 1; index >= 0 && before.length < overlap; index -= 1) before = printed(cast, index) + before
  let pauseAt = cast.offsetOf(from) + sliceBytes
  for (let index = from; index < to; index += 1) {
    const text = before.slice(Math.max(0, before.length - overlap)) + printed(cast, index)
    if (text.includes(wanted)) return cast.timeOf(index)
    before = text
    if (cast.offsetOf(index) < pauseAt) continue
    pauseAt = cast.offsetOf(index) + sliceBytes
    await new Promise((resolve) => setTimeout(resolve))
  }
  return undefined
}

function printed(cast: Cast, index: number): string {
  const { kind, data } = cast.event(index)
  return kind === 'output' ? data.replace(sequences, '').toLowerCase() : ''
}
