import type { Cast } from './cast.ts'

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
