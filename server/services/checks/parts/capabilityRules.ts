import type { CheckRule } from '../../../../src/schemas/endpoints/checkEndpoints.ts'

/**
 * Judges what a server must be able to do.
 * @param wanted words with blanks between them, as `STARTTLS SIZE`
 * @param offered lines or words of the server
 */
export function capabilityRules(wanted: string, offered: readonly string[]): CheckRule[] {
  const words = offered.flatMap((line) => [line, ...line.split(/\s+/)]).map((word) => word.toUpperCase())
  return wanted
    .split(/\s+/)
    .filter(Boolean)
    .map((expected) => ({
      rule: 'capabilities',
      ok: words.includes(expected.toUpperCase()),
      expected,
      found: offered.join(', ').slice(0, 200),
    }))
}
