/** Maximum characters of a shell's title: it is shown in the browser's tab and in ours. */
const maxLength = 100

/**
 * The title that a shell has set, safe to show: one line, without control characters and without those that change the
 * text direction, cut to length.
 */
export function shellTitle(rawTitle: string): string {
  const plain = rawTitle
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it takes out
    .replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(plain)
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : plain
}

/** The address of a link that may be opened, as the browser will understand it: http and https only. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

/** What a terminal sends for a character typed while Ctrl is held: `c` is 3. Others than letters and `@[\]^_?` stay. */
export function controlCharacter(character: string): string {
  const code = character.toUpperCase().charCodeAt(0)
  if (code === 0x3f) return '\x7f'
  if (code === 0x20) return '\x00'
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : character
}

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
