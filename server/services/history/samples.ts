import type { Bucket, Tier } from '../../db/history/definition.ts'
import type { History } from '../../db/history/openHistory.ts'
import type { Series } from '../../db/history/series.ts'
import type { ProbeResult } from '../../machines/hosts/probe.ts'
import { thinned } from './periods.ts'

const days: Tier = { step: 86_400, keep: 31 * 86_400 }

/** Checks that were summed up. */
export interface Tally {
  up: number
  down: number
  notPermitted: number
  /** Milliseconds, of the good ones together. */
  delay: number
}

/** What checks found, kept. */
export interface Samples {
  /** @param at milliseconds since 1970 */
  add(service: number, server: number, at: number, result: ProbeResult): void
  checks: Series
  /** By service, over all servers; a bucket is a day of this machine's clocks, see `dayOf`. */
  days: Series
}

const columns = ['up', 'down', 'not_permitted', 'delay']

export function openSamples(history: History): Samples {
  const checks = history.series({ name: 'check', columns, tiers: thinned })
  const byDay = history.series({ name: 'service', columns, tiers: [days] })
  return {
    checks,
    days: byDay,
    add(one, other, at, result) {
      const figures = [
        result.outcome === 'up' ? 1 : 0,
        result.outcome === 'down' ? 1 : 0,
        result.outcome === 'not permitted' ? 1 : 0,
        result.outcome === 'up' ? result.delay : 0,
      ]
      checks.add({ one, other }, at, figures)
      byDay.add({ one, other: 0 }, dayOf(at), figures)
    },
  }
}

/** The day of a moment by this machine's clocks, as the midnight that it would have in UTC: a day with no gaps. */
export function dayOf(at: number): number {
  const moment = new Date(at)
  return Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate())
}

export function tallyOf({ sums: [up, down, notPermitted, delay] }: Pick<Bucket, 'sums'>): Tally {
  return { up: up ?? 0, down: down ?? 0, notPermitted: notPermitted ?? 0, delay: delay ?? 0 }
}
