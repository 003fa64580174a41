const perLine = 16

/**
 * Offset, bytes and what of them is plain ASCII, as `hexdump -C` prints it: a line of text for each sixteen bytes.
 * @param offset of the first byte
 */
export function hexDump(bytes: Uint8Array, offset = 0): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += perLine) {
    const part = Array.from(bytes.subarray(at, at + perLine))
    const digits = part.map((byte) => byte.toString(16).padStart(2, '0'))
    const halves = [digits.slice(0, 8).join(' ').padEnd(23), digits.slice(8).join(' ').padEnd(23)]
    const text = part.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${(offset + at).toString(16).padStart(8, '0')}  ${halves.join('  ')}  |${text}|`)
  }
  return lines.join('\n')
}

/** A byte to go to as a person types it: `4096`, `0x1000`; `undefined` for anything else. */
export function typedOffset(text: string): number | undefined {
  const typed = text.trim()
  const offset = /^(?:\d+|0x[\da-f]+)$/i.test(typed) ? Number(typed) : undefined
  return Number.isSafeInteger(offset) ? offset : undefined
}
