/** How the characters of a text file are written; with what stands before them. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be'
export type LineEnding = 'lf' | 'crlf' | 'cr'

/** A file as it can be edited: what is written is byte for byte what was read, but for what was typed. */
export interface TextFile {
  /** Lines end in `\n` here, whatever they end in there. */
  text: string
  encoding: Encoding
  lineEnding: LineEnding
}

const marks: readonly [Encoding, readonly number[]][] = [
  ['utf-8-bom', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
const lineEnds = { lf: '\n', crlf: '\r\n', cr: '\r' }

/** Reads a text file. `undefined` when it cannot be written back as it was: it is no text, or in another encoding. */
export function readText(bytes: Uint8Array<ArrayBuffer>): TextFile | undefined {
  const [encoding, mark] = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? ['utf-8', []]
  const found = decode(bytes.subarray(mark.length), encoding)
  if (found === undefined || found.includes('\0')) return undefined
  const lineEnding = lineEndingOf(found)
  const file = { text: found.replaceAll(lineEnds[lineEnding], '\n'), encoding, lineEnding }
  return isSame(writeText(file), bytes) ? file : undefined
}

/** The bytes of an edited file. */
export function writeText({ text, encoding, lineEnding }: TextFile): Uint8Array<ArrayBuffer> {
  const mark = marks.find(([name]) => name === encoding)?.[1] ?? []
  const body = encode(text.replaceAll('\n', lineEnds[lineEnding]), encoding)
  const bytes = new Uint8Array(mark.length + body.length)
  bytes.set(mark)
  bytes.set(body, mark.length)
  return bytes
}

/** Something to look at of a file that is no text: what cannot be read is replaced. */
export const roughText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/**
 * One that all lines have. Of mixed ones only `\n` counts as an end, and the others stay as the characters they are.
 */
function lineEndingOf(text: string): LineEnding {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const crlf = count(/\r\n/g)
  const cr = count(/\r/g)
  const lf = count(/\n/g)
  if (crlf > 0 && crlf === cr && crlf === lf) return 'crlf'
  return cr > 0 && lf === 0 ? 'cr' : 'lf'
}

function decode(bytes: Uint8Array, encoding: Encoding): string | undefined {
  const label = encoding === 'utf-8-bom' ? 'utf-8' : encoding
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // It is in another encoding, and that is the answer.
    return undefined
  }
}

function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8' || encoding === 'utf-8-bom') return new TextEncoder().encode(text)
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), encoding === 'utf-16le')
  return bytes
}
