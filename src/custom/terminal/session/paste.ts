/** Bytes of one message at most: half of what servers take, so that a mark around the paste fits as well. */
const pieceBytes = 256 * 1024

/** Whether a text has more than one line: each line break would run what stands before it. */
export const isMultiline = (text: string): boolean => /[\r\n]/.test(text)

/** How many lines a person would count in a text; a break at its end begins no line of its own. */
export const lineCount = (text: string): number => text.replace(/(\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).length

/**
 * Makes a text from a clipboard harmless: control characters become the signs that stand for them (U+2400 and on), so
 * that nothing in it can end a bracketed paste or press a key nobody saw. Tabs and line breaks stay.
 */
export const tamed = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, (sign) =>
    sign === '\x7f' ? '\u2421' : String.fromCharCode(0x2400 + sign.charCodeAt(0)),
  )

/** Cuts a text into messages of at most `limit` bytes of UTF-8, never inside a character. */
export function pieces(text: string, limit = pieceBytes): string[] {
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
