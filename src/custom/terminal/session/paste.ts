/** Maximum bytes of one message: half of what servers take, so that the marks of a bracketed paste fit as well. */
const messageBytes = 256 * 1024

/** Whether a text has more than one line: a shell runs a line at its line break. */
export const isMultiline = (text: string): boolean => /[\r\n]/.test(text)

/** Number of lines in a text; a line break at its end does not begin another one. */
export const lineCount = (text: string): number => text.replace(/(\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).length

/** Cuts a text into messages of at most `limit` bytes of UTF-8, never inside a character. */
export function splitIntoMessages(text: string, limit = messageBytes): string[] {
  // No character takes more than three bytes for each of its UTF-16 units.
  const step = Math.max(2, Math.floor(limit / 3))
  if (text.length <= step) return text === '' ? [] : [text]
  const found: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + step, text.length)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
    found.push(text.slice(start, end))
    start = end
  }
  return found
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
