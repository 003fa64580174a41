import type { ProbeResult } from '../machines/hosts/probe.ts'

/** The latest checks of one service, in memory. */
export interface Recent {
  add(result: ProbeResult, at: number): void
  /** @param now milliseconds since 1970 */
  counts(now: number): { up: number; down: number; notPermitted: number }
  /** Why the latest check failed, or could not be made; nothing after a good one. */
  problem(): string | undefined
}

/** As on real servers: the last 30 checks of the last 15 minutes. */
const most = 30
const spanMs = 15 * 60_000

export function createRecent(): Recent {
  const checks: { outcome: ProbeResult['outcome']; at: number }[] = []
  let problem: string | undefined
  return {
    add(result, at) {
      checks.push({ outcome: result.outcome, at })
      if (checks.length > most) checks.shift()
      problem = result.outcome === 'up' ? undefined : result.problem
    },
    counts(now) {
      const fresh = checks.filter(({ at }) => now - at <= spanMs)
      const count = (wanted: ProbeResult['outcome']) => fresh.filter(({ outcome }) => outcome === wanted).length
      return { up: count('up'), down: count('down'), notPermitted: count('not permitted') }
    },
    problem: () => problem,
  }
}
