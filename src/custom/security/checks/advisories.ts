/** A published weakness of Nezha servers. */
interface Advisory {
  id: string
  /** Ranges of affected versions: from the first (inclusive) to the fixed one (exclusive). */
  versions: readonly (readonly [from: string, fixed: string])[]
}

/** The day until which published advisories are in the table. */
export const advisoriesUntil = '2026-09-15'

/** Where they are published. */
export const advisoriesUrl = 'https://github.com/nezhahq/nezha/security/advisories'

/** The published advisories for which a fixed release is known. */
export const advisories: readonly Advisory[] = [
  { id: 'CVE-2026-46716', versions: [['1.4.0', '2.0.8']] },
  { id: 'CVE-2026-46717', versions: [['1.4.0', '2.0.8']] },
  { id: 'CVE-2026-47120', versions: [['1.4.0', '2.0.8']] },
  { id: 'CVE-2026-47268', versions: [['0.20.0', '2.0.10']] },
  {
    id: 'GHSA-q6xx-5vr8-p898',
    versions: [
      ['1.14.13', '2.0.0'],
      ['2.0.0', '2.0.10'],
    ],
  },
  { id: 'CVE-2026-49396', versions: [['1.0.0', '2.0.14']] },
  { id: 'CVE-2026-49397', versions: [['2.0.0', '2.0.14']] },
  { id: 'CVE-2026-53520', versions: [['2.0.14', '2.1.0']] },
  { id: 'CVE-2026-53522', versions: [['1.0.0', '2.2.0']] },
  { id: 'GHSA-ww5p-j6cj-6mqq', versions: [['0.0.0', '2.2.5']] },
]

/** `v2.0.14` as [2, 0, 14]; nothing for `debug` and the like. */
function parseVersion(text: string): readonly number[] | undefined {
  const parts = /^v?(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?![\d.])/.exec(text.trim())
  return parts ? parts.slice(1).map(Number) : undefined
}

const isBefore = (one: readonly number[], other: readonly number[]) => {
  const at = one.findIndex((part, index) => part !== other[index])
  return at >= 0 && (one[at] as number) < (other[at] as number)
}

/** The ids of the advisories about a version; `undefined` when the text is not a version. */
export function advisoriesFor(version: string): string[] | undefined {
  const parsed = parseVersion(version)
  if (!parsed) return undefined
  const applies = ([from, fixed]: readonly [string, string]) =>
    !isBefore(parsed, parseVersion(from) ?? []) && isBefore(parsed, parseVersion(fixed) ?? [])
  return advisories.filter(({ versions }) => versions.some(applies)).map(({ id }) => id)
}
