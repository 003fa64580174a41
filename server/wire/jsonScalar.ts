import { type Cursor, invalidCharacter } from './jsonCursor.ts'
import type { JsonNode } from './jsonNode.ts'

const literals: Readonly<Record<string, JsonNode>> = {
  true: { kind: 'bool', value: true },
  false: { kind: 'bool', value: false },
  null: { kind: 'null' },
}

/** Reads `true`, `false` or `null`; any other first character is refused. */
export function readLiteral(cursor: Cursor): JsonNode {
  const first = cursor.text[cursor.at]
  for (const [word, node] of Object.entries(literals)) {
    if (word[0] !== first) continue
    for (const letter of word) {
      if (cursor.text[cursor.at] !== letter) {
        throw invalidCharacter(cursor, `in literal ${word} (expecting '${letter}')`)
      }
      cursor.at++
    }
    return node
  }
  throw invalidCharacter(cursor, 'looking for beginning of value')
}

/** Reads a number's text, by JSON's rules: no leading zeros, digits on both sides of the point. */
export function readNumber(cursor: Cursor): string {
  const start = cursor.at
  if (cursor.text[cursor.at] === '-') cursor.at++
  if (cursor.text[cursor.at] === '0') cursor.at++
  else digits(cursor, 'in numeric literal')
  if (cursor.text[cursor.at] === '.') {
    cursor.at++
    digits(cursor, 'after decimal point in numeric literal')
  }
  if (/^[eE]$/.test(cursor.text[cursor.at] ?? '')) {
    cursor.at++
    if (/^[+-]$/.test(cursor.text[cursor.at] ?? '')) cursor.at++
    digits(cursor, 'in exponent of numeric literal')
  }
  return cursor.text.slice(start, cursor.at)
}

function digits(cursor: Cursor, where: string): void {
  const start = cursor.at
  while (/^\d$/.test(cursor.text[cursor.at] ?? '')) cursor.at++
  if (cursor.at === start) throw invalidCharacter(cursor, where)
}
