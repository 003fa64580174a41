/** Bytes that are shown as a dump: a line of text for each sixteen of them. */
export const hexLimit = 65_536
const perLine = 16

/** Offset, bytes and what of them is plain ASCII, as `hexdump -C` prints it; of the first `hexLimit` bytes. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < Math.min(bytes.length, hexLimit); at += perLine) {
    const part = Array.from(bytes.subarray(at, at + perLine))
    const digits = part.map((byte) => byte.toString(16).padStart(2, '0'))
    const halves = [digits.slice(0, 8).join(' ').padEnd(23), digits.slice(8).join(' ').padEnd(23)]
    const text = part.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${at.toString(16).padStart(8, '0')}  ${halves.join('  ')}  |${text}|`)
  }
  return lines.join('\n')
}
