import { ApiError } from './apiCall.ts'

/** A text that is being scanned, the index of the next character, and how many values have begun. */
export interface Cursor {
  text: string
  at: number
  values: number
}

/** Real servers stop at 10000 levels; no form needs this many. */
const maxDepth = 1000
/**
 * Values of one text, members and items included: ten times the longest list of a form. Each is an object in memory
 * once it is read, so that eight million brackets would take a second where a file of eight megabytes takes none.
 */
export const maxJsonValues = 100_000

/** What characters are, as numbers: a text of megabytes is gone through without making a string of each character. */
const codes = {
  backslash: 0x5c,
  closeBrace: 0x7d,
  closeBracket: 0x5d,
  colon: 0x3a,
  comma: 0x2c,
  letterU: 0x75,
  minus: 0x2d,
  nine: 0x39,
  openBrace: 0x7b,
  openBracket: 0x5b,
  plus: 0x2b,
  point: 0x2e,
  quote: 0x22,
  space: 0x20,
  zero: 0x30,
} as const

const literals = ['true', 'false', 'null'] as const

const isSpace = (code: number) => code === codes.space || code === 0x0a || code === 0x0d || code === 0x09

export function skipSpace(cursor: Cursor): void {
  const { text } = cursor
  let { at } = cursor
  for (let code = text.charCodeAt(at); isSpace(code); code = text.charCodeAt(at)) at++
  cursor.at = at
}

/**
 * Skips one JSON value, which begins at the cursor or after spaces. All of the grammar is checked here and nothing is
 * made of it, so that a text costs what its length says, whatever is in it and wherever it is broken.
 * @throws ApiError with the words of the contract's parser (docs/contract/CONTRACT.md#2-envelope-and-status-codes)
 */
export function skipValue(cursor: Cursor, depth = 0): void {
  if (depth > maxDepth) throw new ApiError('exceeded max depth')
  if (++cursor.values > maxJsonValues) throw new ApiError(`too many values: at most ${maxJsonValues}`)
  skipSpace(cursor)
  const first = cursor.text.charCodeAt(cursor.at)
  if (first === codes.quote) skipString(cursor)
  else if (first === codes.openBrace) skipObject(cursor, depth)
  else if (first === codes.openBracket) skipArray(cursor, depth)
  else if (first === codes.minus || isDigit(first)) skipNumber(cursor)
  else skipLiteral(cursor)
}

function skipArray(cursor: Cursor, depth: number): void {
  if (opensEmpty(cursor, codes.closeBracket)) return
  do skipValue(cursor, depth + 1)
  while (continues(cursor, codes.closeBracket, 'after array element'))
}

function skipObject(cursor: Cursor, depth: number): void {
  if (opensEmpty(cursor, codes.closeBrace)) return
  do {
    skipKey(cursor)
    skipValue(cursor, depth + 1)
  } while (continues(cursor, codes.closeBrace, 'after object key:value pair'))
}

/** Skips a key and the colon after it. @returns where the key with its quotes begins and ends */
export function skipKey(cursor: Cursor): readonly [start: number, end: number] {
  skipSpace(cursor)
  const start = cursor.at
  if (cursor.text.charCodeAt(start) !== codes.quote) {
    throw invalidCharacter(cursor, 'looking for beginning of object key string')
  }
  skipString(cursor)
  const end = cursor.at
  skipSpace(cursor)
  if (cursor.text.charCodeAt(cursor.at) !== codes.colon) throw invalidCharacter(cursor, 'after object key')
  cursor.at++
  return [start, end]
}

/** Skips an opening bracket or brace. @returns whether its end came at once, which is skipped too */
export function opensEmpty(cursor: Cursor, end: number): boolean {
  cursor.at++
  skipSpace(cursor)
  if (cursor.text.charCodeAt(cursor.at) !== end) return false
  cursor.at++
  return true
}

/** After an element: `true` after a comma, `false` after `end`. @throws ApiError for anything else */
export function continues(cursor: Cursor, end: number, where: string): boolean {
  skipSpace(cursor)
  const code = cursor.text.charCodeAt(cursor.at)
  if (code !== codes.comma && code !== end) throw invalidCharacter(cursor, where)
  cursor.at++
  return code === codes.comma
}

function skipString(cursor: Cursor): void {
  const { text } = cursor
  cursor.at++
  for (;;) {
    let { at } = cursor
    let code = text.charCodeAt(at)
    // After the end of the text the code is not a number.
    for (; code >= codes.space && code !== codes.quote && code !== codes.backslash; code = text.charCodeAt(at)) at++
    cursor.at = at
    if (code !== codes.quote && code !== codes.backslash) throw invalidCharacter(cursor, 'in string literal')
    cursor.at++
    if (code === codes.quote) return
    skipEscape(cursor)
  }
}

/** The characters that may follow a backslash. */
const escapeCodes = new Set(Array.from('"\\/bfnrtu', (character) => character.charCodeAt(0)))

function skipEscape(cursor: Cursor): void {
  const code = cursor.text.charCodeAt(cursor.at)
  if (!escapeCodes.has(code)) throw invalidCharacter(cursor, 'in string escape code')
  cursor.at++
  if (code !== codes.letterU) return
  for (const end = cursor.at + 4; cursor.at < end; cursor.at++) {
    if (!isHexDigit(cursor.text.charCodeAt(cursor.at))) {
      throw invalidCharacter(cursor, String.raw`in \u hexadecimal character escape`)
    }
  }
}

/** By JSON's rules: no leading zeros, digits on both sides of the point. */
function skipNumber(cursor: Cursor): void {
  const { text } = cursor
  if (text.charCodeAt(cursor.at) === codes.minus) cursor.at++
  if (text.charCodeAt(cursor.at) === codes.zero) cursor.at++
  else skipDigits(cursor, 'in numeric literal')
  if (text.charCodeAt(cursor.at) === codes.point) {
    cursor.at++
    skipDigits(cursor, 'after decimal point in numeric literal')
  }
  // The letter e in either case.
  if ((text.charCodeAt(cursor.at) | 0x20) !== 0x65) return
  cursor.at++
  const sign = text.charCodeAt(cursor.at)
  if (sign === codes.plus || sign === codes.minus) cursor.at++
  skipDigits(cursor, 'in exponent of numeric literal')
}

const isDigit = (code: number) => code >= codes.zero && code <= codes.nine
/** With the letters a to f in either case. */
const isHexDigit = (code: number) => isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)

function skipDigits(cursor: Cursor, where: string): void {
  const start = cursor.at
  while (isDigit(cursor.text.charCodeAt(cursor.at))) cursor.at++
  if (cursor.at === start) throw invalidCharacter(cursor, where)
}

function skipLiteral(cursor: Cursor): void {
  const first = cursor.text[cursor.at]
  const literal = literals.find((word) => word[0] === first)
  if (literal === undefined) throw invalidCharacter(cursor, 'looking for beginning of value')
  for (const letter of literal) {
    if (cursor.text[cursor.at] !== letter) {
      throw invalidCharacter(cursor, `in literal ${literal} (expecting '${letter}')`)
    }
    cursor.at++
  }
}

/** The error for the character at the cursor; at the end of the text, the error for a text that was cut off. */
function invalidCharacter({ text, at }: Cursor, where: string): ApiError {
  const character = text[at]
  if (character === undefined) return new ApiError('unexpected EOF')
  return new ApiError(`invalid character ${quoted(character)} ${where}`)
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
