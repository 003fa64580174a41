import type { ProbeResult } from '../machines/hosts/probe.ts'

/** The check results of one service in the last 15 minutes, in memory: as much for one server as for thousands. */
export interface RecentResults {
  /** @param server the one that checked @param at milliseconds since 1970 */
  add(server: Reporter, result: ProbeResult, at: number): void
  /** @param now milliseconds since 1970 */
  counts(now: number): ResultCounts
  /**
   * Milliseconds: the mean delay of the good results in the latest half minute that has any; `undefined` when the last 15
   * minutes have none. @param now milliseconds since 1970
   */
  latency(now: number): number | undefined
  /**
   * The latest check that failed or was not permitted; `undefined` as soon as the same server had a better result. While
   * servers say the same, it is of the first of them: else people would read another name every few seconds.
   */
  problem(): { server: Reporter; text: string } | undefined
}

/** A server that has checked a service. */
export interface Reporter {
  id: number
  name: string
}

interface ResultCounts {
  up: number
  down: number
  notPermitted: number
}

interface Slot extends ResultCounts {
  /** Milliseconds: the sum of the delays of good results. */
  delay: number
}

/** As on real servers, 30 slots of 30 seconds. */
const slotMs = 30_000
const slotCount = 30
/** How long a server that says nothing more stands for others that say the same. */
const heldMs = slotMs * slotCount

export function createRecentResults(): RecentResults {
  /** By the number of the slot since 1970, oldest first. */
  const slots = new Map<number, Slot>()
  let problem: { server: Reporter; text: string; at: number } | undefined

  function slotOf(number: number): Slot {
    const existing = slots.get(number)
    if (existing) return existing
    for (const old of slots.keys()) if (old <= number - slotCount) slots.delete(old)
    const created = { up: 0, down: 0, notPermitted: 0, delay: 0 }
    slots.set(number, created)
    return created
  }

  return {
    add(server, result, at) {
      const slot = slotOf(Math.floor(at / slotMs))
      if (result.outcome === 'up') {
        slot.up++
        slot.delay += result.delay
      } else if (result.outcome === 'down') slot.down++
      else slot.notPermitted++
      const isSame = problem?.server.id === server.id
      if (result.outcome === 'up') {
        if (isSame) problem = undefined
      } else if (isSame || problem?.text !== result.problem || at - problem.at > heldMs) {
        problem = { server, text: result.problem, at }
      }
    },
    counts(now) {
      const total = { up: 0, down: 0, notPermitted: 0 }
      for (const [number, { up, down, notPermitted }] of slots) {
        if (number <= Math.floor(now / slotMs) - slotCount) continue
        total.up += up
        total.down += down
        total.notPermitted += notPermitted
      }
      return total
    },
    latency(now) {
      let latest: number | undefined
      for (const [number, { up }] of slots) {
        const isRecent = number > Math.floor(now / slotMs) - slotCount
        if (up > 0 && isRecent && number > (latest ?? 0)) latest = number
      }
      const slot = latest === undefined ? undefined : slots.get(latest)
      return slot && slot.delay / slot.up
    },
    problem: () => problem,
  }
}
