import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readText, writeText } from '../../../src/custom/files/view/textFile.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))
const bom = [0xef, 0xbb, 0xbf]

describe('a text file', () => {
  it.each([
    ['UTF-8', bytes('é\n'), { text: 'é\n', encoding: 'utf-8', lineEnding: 'lf' }],
    ['UTF-8 with a mark', bytes(bom, 'a'), { text: 'a', encoding: 'utf-8-bom', lineEnding: 'lf' }],
    ['two marks', bytes(bom, bom, 'a'), { text: '\ufeffa', encoding: 'utf-8-bom', lineEnding: 'lf' }],
    ['UTF-16 LE', bytes([0xff, 0xfe, 0x41, 0, 0x0a, 0]), { text: 'A\n', encoding: 'utf-16le', lineEnding: 'lf' }],
    ['UTF-16 BE', bytes([0xfe, 0xff, 0, 0x41]), { text: 'A', encoding: 'utf-16be', lineEnding: 'lf' }],
    ['Windows lines', bytes('a\r\nb\r\n'), { text: 'a\nb\n', encoding: 'utf-8', lineEnding: 'crlf' }],
    ['old Mac lines', bytes('a\rb'), { text: 'a\nb', encoding: 'utf-8', lineEnding: 'cr' }],
    ['mixed lines', bytes('a\r\nb\n'), { text: 'a\r\nb\n', encoding: 'utf-8', lineEnding: 'lf' }],
  ] as const)('in %s is read, and written back as it was', (_, content, read) => {
    expect(readText(content)).toEqual(read)
    expect(writeText(read)).toEqual(content)
  })

  it('keeps its encoding and line endings in what is typed', () => {
    const read = readText(bytes(bom, 'a\r\n'))
    expect(read && writeText({ ...read, text: `${read.text}ü\n` })).toEqual(bytes(bom, 'a\r\nü\r\n'))
  })

  it.each([
    ['Latin-1', bytes('caf', [0xe9])],
    ['a binary', bytes('\x7fELF', [0, 1])],
    ['UTF-16 cut short', bytes([0xff, 0xfe, 0x41])],
    ['UTF-16 without a mark', bytes([0x41, 0, 0x42, 0])],
    ['a lone surrogate', bytes([0xff, 0xfe, 0x00, 0xd8])],
  ])('in %s cannot be edited: it could not be written back', (_, content) => {
    expect(readText(content)).toBeUndefined()
  })

  it('is either refused or comes back byte for byte, whatever is in it', () => {
    const pieces = fc.array(fc.constantFrom('\r', '\n', '\r\n', 'a', 'ü', '😀', '\ufeff', '\0'))
    const any = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      pieces.map((parts) => bytes(parts.join(''))),
      pieces.map((parts) => bytes([0xff, 0xfe], [...Buffer.from(parts.join(''), 'utf16le')])),
    )
    fc.assert(
      fc.property(any, (content) => {
        const read = readText(Uint8Array.from(content))
        if (read) expect(writeText(read)).toEqual(Uint8Array.from(content))
      }),
    )
  })
})
