/** Character encoding, with or without a byte order mark. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be'
export type LineEnding = 'lf' | 'crlf' | 'cr'

/** A text file that can be edited: unchanged parts are written back byte for byte. */
export interface TextFile {
  /** With `\n` as line ending, whatever the file has. */
  text: string
  encoding: Encoding
  lineEnding: LineEnding
}

const byteOrderMarks: readonly [Encoding, readonly number[]][] = [
  ['utf-8-bom', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
const lineEnds = { lf: '\n', crlf: '\r\n', cr: '\r' }

/** Reads a text file. `undefined` when it cannot be written back as it was: it is no text, or in another encoding. */
export function readText(bytes: Uint8Array<ArrayBuffer>): TextFile | undefined {
  const [encoding, mark] = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [
    'utf-8',
    [],
  ]
  const found = decode(bytes.subarray(mark.length), encoding)
  if (found === undefined || found.includes('\0')) return undefined
  const lineEnding = lineEndingOf(found)
  const file = { text: found.replaceAll(lineEnds[lineEnding], '\n'), encoding, lineEnding }
  return isSame(writeText(file), bytes) ? file : undefined
}

/** The bytes of an edited file. */
export function writeText({ text, encoding, lineEnding }: TextFile): Uint8Array<ArrayBuffer> {
  const mark = byteOrderMarks.find(([name]) => name === encoding)?.[1] ?? []
  const body = encode(text.replaceAll('\n', lineEnds[lineEnding]), encoding)
  const bytes = new Uint8Array(mark.length + body.length)
  bytes.set(mark)
  bytes.set(body, mark.length)
  return bytes
}

/** A file that is not text, for display: invalid bytes are replaced. */
export const replacingText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/**
 * The line ending that all lines have. In mixed files only `\n` ends a line, and the others stay as characters.
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
    // The file is in another encoding.
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
