import type { Shift } from '../../src/domain/rota/rotaShifts.ts'

interface FeedOptions {
  /** Of the rota, and of the server: events keep their identity. */
  id: number
  host: string
  name: string
  shifts: readonly (Shift & { name: string })[]
  /** What it was made at, in milliseconds since 1970. */
  now: number
}

/** Octets of a line (RFC 5545, 3.1), without its end. */
const maxLine = 75

/** A rota as a calendar in the format of RFC 5545: an event for each shift. */
export function rotaCalendar({ id, host, name, shifts, now }: FeedOptions): string {
  const events = shifts.flatMap((shift) => [
    'BEGIN:VEVENT',
    `UID:rota-${id}-${shift.from / 1000}@${host}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(shift.from)}`,
    `DTEND:${utc(shift.to)}`,
    `SUMMARY:${escapeText(`${shift.name} · ${name}`)}`,
    // It says who can be called, not that the time of whoever reads it is taken.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Wheelhouse//Rota//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** `20261201T080000Z`. @param at milliseconds since 1970 */
const utc = (at: number) => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** RFC 5545, 3.3.11: what would end the value or the line. Other control characters are not allowed. */
const escapeText = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

/** A line in parts of 75 octets at most, none of which ends within a character. */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > maxLine) {
      parts.push(part)
      // The blank that continues a line counts.
      part = ''
      octets = 1
    }
    part += character
    octets += length
  }
  return [...parts, part].join('\r\n ')
}
