import { zoneOffset } from './timeZone.ts'

const dayMs = 86_400_000

/** The moment, to the second, since which the UTC offset is that of `end`; all in milliseconds since 1970. */
export function changeBetween(zone: string, start: number, end: number): number {
  const lastOffset = zoneOffset(zone, end)
  let before = start
  let since = end
  while (since - before > 1000) {
    const middle = Math.floor((before + since) / 2000) * 1000
    if (zoneOffset(zone, middle) === lastOffset) since = middle
    else before = middle
  }
  return since
}

/**
 * The moment at which a zone's clocks show a time: the first of the two when clocks are put back, and the moment of the
 * change when they are put forward past it.
 * @param shown what they show, as milliseconds of a day that knows no zone @returns milliseconds since 1970
 */
export function momentOf(zone: string, shown: number): number {
  const before = zoneOffset(zone, shown - dayMs)
  const after = zoneOffset(zone, shown + dayMs)
  const moments = [shown - before, shown - after].filter((at) => zoneOffset(zone, at) === shown - at)
  if (moments.length > 0) return Math.min(...moments)
  return changeBetween(zone, shown - Math.max(before, after), shown - Math.min(before, after))
}
