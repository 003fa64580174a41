import { ApiError } from './apiError.ts'

/** A text that is being parsed, and the index of the next character. */
export interface Cursor {
  text: string
  at: number
}

export function skipSpace(cursor: Cursor): void {
  while (' \t\r\n'.includes(cursor.text[cursor.at] ?? 'x')) cursor.at++
}

export const endOfText = () => new ApiError('unexpected EOF')

/** The error for the character at the cursor; at the end of the text, the error for a text that was cut off. */
export function invalidCharacter({ text, at }: Cursor, where: string): ApiError {
  const character = text[at]
  return character === undefined ? endOfText() : new ApiError(`invalid character ${quoted(character)} ${where}`)
}

const escapes: Readonly<Record<string, string>> = {
  "'": String.raw`\'`,
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\v': String.raw`\v`,
  '\x07': String.raw`\a`,
}

/** Real servers read bytes: for a character beyond ASCII they quote its first byte. */
function quoted(character: string): string {
  const written = escapes[character]
  if (written) return `'${written}'`
  const byte = Buffer.from(character)[0] ?? 0
  const isControl = byte < 0x20 || (byte >= 0x7f && byte < 0xa0)
  return isControl ? `'\\x${byte.toString(16).padStart(2, '0')}'` : `'${String.fromCharCode(byte)}'`
}
