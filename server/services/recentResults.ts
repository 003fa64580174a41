import type { ProbeResult } from '../machines/hosts/probe.ts'

/** The latest check results of one service, in memory. */
export interface RecentResults {
  add(result: ProbeResult, at: number): void
  /** @param now milliseconds since 1970 */
  counts(now: number): { up: number; down: number; notPermitted: number }
  /** Why the latest check failed or was not permitted; `undefined` after a successful one. */
  problem(): string | undefined
}

/** As on real servers: the last 30 checks, of 15 minutes at most. */
const maxChecks = 30
const maxAgeMs = 15 * 60_000

export function createRecentResults(): RecentResults {
  const checks: { outcome: ProbeResult['outcome']; at: number }[] = []
  let problem: string | undefined
  return {
    add(result, at) {
      checks.push({ outcome: result.outcome, at })
      if (checks.length > maxChecks) checks.shift()
      problem = result.outcome === 'up' ? undefined : result.problem
    },
    counts(now) {
      const recent = checks.filter(({ at }) => now - at <= maxAgeMs)
      const count = (outcome: ProbeResult['outcome']) => recent.filter((check) => check.outcome === outcome).length
      return { up: count('up'), down: count('down'), notPermitted: count('not permitted') }
    },
    problem: () => problem,
  }
}
