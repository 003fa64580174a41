import { zoneOffset } from '../../domain/cron/timeZone.ts'

const hourMs = 3_600_000

/** Zones differ by half hours, too. */
const step = hourMs / 2

/** A full hour of the local time in the calendar. */
export interface HourMark {
  /** Milliseconds since 1970. */
  at: number
  /** Of the local day: 0 to 23. */
  hour: number
}

/** The full hours of a zone's clocks from one moment to another, in milliseconds since 1970. */
export function hourMarks(from: number, to: number, zone: string): HourMark[] {
  const marks: HourMark[] = []
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const shown = at + zoneOffset(zone, at)
    if (shown % hourMs === 0) marks.push({ at, hour: (shown / hourMs) % 24 })
  }
  return marks
}
