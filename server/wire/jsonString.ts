import { type Cursor, endOfText, invalidCharacter } from './jsonCursor.ts'

/** Reads a string with its quotes. Lone surrogates become the replacement character. */
export function readString(cursor: Cursor): string {
  const start = cursor.at++
  for (;;) {
    const character = cursor.text[cursor.at]
    if (character === undefined) throw endOfText()
    if (character < ' ') throw invalidCharacter(cursor, 'in string literal')
    cursor.at++
    if (character === '"') break
    if (character === '\\') skipEscape(cursor)
  }
  return (JSON.parse(cursor.text.slice(start, cursor.at)) as string).toWellFormed()
}

function skipEscape(cursor: Cursor): void {
  const character = cursor.text[cursor.at]
  if (character === undefined || !'"\\/bfnrtu'.includes(character)) {
    throw invalidCharacter(cursor, 'in string escape code')
  }
  cursor.at++
  if (character !== 'u') return
  for (const end = cursor.at + 4; cursor.at < end; cursor.at++) {
    if (!/^[\da-fA-F]$/.test(cursor.text[cursor.at] ?? '')) {
      throw invalidCharacter(cursor, String.raw`in \u hexadecimal character escape`)
    }
  }
}
