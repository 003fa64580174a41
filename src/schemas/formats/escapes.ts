const simple: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', '0': '\0', '\\': '\\' }

/**
 * Reads a text in which `\r`, `\n`, `\t`, `\0`, `\\` and `\x1f` stand for bytes; other characters stand for their bytes in
 * UTF-8.
 * @returns `undefined` for a text with another escape
 */
export function bytesOfEscaped(text: string): Uint8Array | undefined {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  const pattern = /\\(?:x([\da-f]{2})|([rnt0\\]))|[^\\]+/giy
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text)
    if (!found) return undefined
    const [plain, hex, letter] = found
    if (hex !== undefined) parts.push(Uint8Array.of(Number.parseInt(hex, 16)))
    else parts.push(encoder.encode(letter === undefined ? plain : (simple[letter.toLowerCase()] ?? '')))
  }
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
