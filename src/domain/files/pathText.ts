/**
 * Paths and names of files as text, for replies and requests in JSON. File systems store bytes, and not every name is
 * UTF-8: as in a `file:` URL, `%ff` stands for the byte 0xff, and `%25` for a percent sign.
 */

const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const percent = 0x25

const encoded = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`

/** The text of a name or a path; only what is not UTF-8 and `%` are encoded. */
export function pathTextOf(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes).replaceAll('%', '%25')
  } catch {
    return Array.from(bytes, (byte) => {
      return byte >= 0x80 || byte === percent ? encoded(byte) : String.fromCharCode(byte)
    }).join('')
  }
}

/** The bytes of a text. A percent sign without two hexadecimal digits stands for itself. */
export function bytesOfPathText(text: string): Uint8Array<ArrayBuffer> {
  const plain = encoder.encode(text)
  const bytes = new Uint8Array(plain.length)
  let length = 0
  for (let at = 0; at < plain.length; at += 1) {
    const byte = plain[at] ?? 0
    const digits = byte === percent ? String.fromCharCode(...plain.subarray(at + 1, at + 3)) : ''
    const isEncoded = /^[\da-f]{2}$/i.test(digits)
    bytes[length] = isEncoded ? Number.parseInt(digits, 16) : byte
    if (isEncoded) at += 2
    length += 1
  }
  return bytes.slice(0, length)
}
