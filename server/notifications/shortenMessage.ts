/** How much text a receiver takes, in the unit in which it counts. */
export interface MessageLimit {
  unit: keyof typeof measures
  max: number
}

const encoder = new TextEncoder()
const bytesOf = (text: string) => encoder.encode(text).length

/** Each adds up: the measure of a text is that of its parts. */
const measures = {
  /** Unicode code points. */
  characters: (text: string) => [...text].length,
  utf16_units: (text: string) => text.length,
  /** Of UTF-8. */
  bytes: bytesOf,
  /** Of UTF-8, escaped as in JSON: where the limit is that of the whole request. */
  json_bytes: (text: string) => bytesOf(JSON.stringify(text)) - 2,
} as const

const mark = '…'
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** How much a text takes of a limit. */
export const measure = (text: string, { unit }: Pick<MessageLimit, 'unit'>): number => measures[unit](text)

/**
 * Shortens a message to the limit of its receiver, between two letters as people see them. The first line, which names
 * what it is about, and a link in the last line stay; what is between gets shorter from its end.
 * @param keepsEnd whether it gets shorter from its beginning: of the output of a command, the end says most
 */
export function shortenMessage(text: string, limit: MessageLimit, { keepsEnd = false } = {}): string {
  if (measure(text, limit) <= limit.max) return text
  const lines = text.split('\n')
  const last = lines.at(-1) ?? ''
  const isLink = lines.length > 1 && /^https?:\/\/\S+$/.test(last) && measure(last, limit) * 2 < limit.max
  const tail = isLink ? `\n${last}` : ''
  const [head = '', ...body] = isLink ? lines.slice(0, -1) : lines
  const room = limit.max - measure(tail, limit)
  const roomOfBody = room - measure(`${head}\n`, limit)
  if (body.length === 0 || roomOfBody <= measure(mark, limit)) return cut(head, room, limit, false) + tail
  return `${head}\n${cut(body.join('\n'), roomOfBody, limit, keepsEnd)}${tail}`
}

function cut(text: string, room: number, limit: MessageLimit, keepsEnd: boolean): string {
  if (measure(text, limit) <= room) return text
  // No unit counts less than one for a UTF-16 unit, but characters, of which two units are one.
  const near = keepsEnd ? text.slice(-2 * room) : text.slice(0, 2 * room)
  const parts = [...letters.segment(near)].map(({ segment }) => segment)
  if (keepsEnd) parts.reverse()
  let left = room - measure(mark, limit)
  const kept: string[] = []
  for (const part of parts) {
    left -= measure(part, limit)
    if (left < 0) break
    kept.push(part)
  }
  return keepsEnd ? mark + kept.reverse().join('') : kept.join('') + mark
}
