/**
 * The end of a command's output, which says most about why it failed.
 * @returns the text without a character that was cut in two, and whether something is missing
 */
export function endOfOutput(bytes: Buffer, maxBytes: number): { output: string; truncated: boolean } {
  let start = Math.max(0, bytes.length - maxBytes)
  // Bytes of UTF-8 that continue a character begin with 10.
  for (let skipped = 0; start > 0 && skipped < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80; skipped++) start++
  return { output: bytes.subarray(start).toString('utf8'), truncated: start > 0 }
}
