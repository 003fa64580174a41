import type { CheckPhases } from '../../../src/schemas/endpoints/checkPhases.ts'
import type { Bucket, Tier } from '../../db/history/definition.ts'
import type { History } from '../../db/history/openHistory.ts'
import type { Series } from '../../db/history/series.ts'
import type { ProbeResult } from '../../machines/hosts/probe.ts'
import { tiers } from './periods.ts'

/** As many as the visitors' page shows, and today's. */
export const days: Tier = { step: 86_400, keep: 91 * 86_400 }

/** Sums of check results. */
export interface CheckTotals {
  up: number
  down: number
  notPermitted: number
  /** Milliseconds: the sum of the delays of successful checks. */
  delay: number
}

/** The stored results of checks. */
export interface Samples {
  /** @param at milliseconds since 1970 */
  add(service: number, server: number, at: number, result: ProbeResult): void
  /** By service and server, with the parts of checks; kept as the tiers say, for 31 days. */
  checks: Series
  /** By service, over all servers. A bucket is a day in the time zone of this machine, see `dayOf`. */
  days: Series
  /** By service: the milliseconds in which it was down, by days as in `days`. */
  downtime: Series
  /** @param from milliseconds since 1970, as `until` */
  addDowntime(service: number, from: number, until: number): void
}

/** Without the parts of checks. */
export const totalColumns = ['up', 'down', 'not_permitted', 'delay']
/**
 * The parts of checks of their own, beside the delay of the whole: the sums of the successful ones, in milliseconds.
 */
const partColumns = ['name', 'connect', 'tls', 'first_byte'] as const

export function openSamples(history: History): Samples {
  const checks = history.series({ name: 'check', columns: [...totalColumns, ...partColumns], tiers })
  const daySeries = history.series({ name: 'service', columns: totalColumns, tiers: [days] })
  const downtime = history.series({ name: 'service_downtime', columns: ['ms'], tiers: [days] })
  return {
    checks,
    days: daySeries,
    downtime,
    addDowntime(one, from, until) {
      for (let at = from; at < until; ) {
        const end = Math.min(until, nextMidnight(at))
        downtime.add({ one, other: 0 }, dayOf(at), [end - at])
        at = end
      }
    },
    add(one, other, at, result) {
      const values = [
        result.outcome === 'up' ? 1 : 0,
        result.outcome === 'down' ? 1 : 0,
        result.outcome === 'not permitted' ? 1 : 0,
        result.outcome === 'up' ? result.delay : 0,
      ]
      const phases = result.outcome === 'up' ? result.phases : undefined
      checks.add({ one, other }, at, [...values, ...partColumns.map((part) => phases?.[part] ?? null)])
      daySeries.add({ one, other: 0 }, dayOf(at), values)
    },
  }
}

/** The local day of a time as midnight UTC, so that all days have the same length. */
export function dayOf(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
}

/** When the local day of a time ends. */
function nextMidnight(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()
}

/** The mean parts of the successful checks of a bucket; `undefined` where none has any. */
export function meanPhases({ sums }: Pick<Bucket, 'sums'>): CheckPhases | undefined {
  // All services of a server are read without them.
  if (sums.length <= totalColumns.length) return undefined
  const [up = 0] = sums
  const known = partColumns.flatMap((part, index) => {
    const sum = sums[totalColumns.length + index] ?? null
    return sum === null || !up ? [] : [[part, Math.round((10 * sum) / up) / 10] as const]
  })
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

export function checkTotals({ sums: [up, down, notPermitted, delay] }: Pick<Bucket, 'sums'>): CheckTotals {
  return { up: up ?? 0, down: down ?? 0, notPermitted: notPermitted ?? 0, delay: delay ?? 0 }
}

/**
 * Adds up how long services are down: from one result that counts to the next. What nobody has measured, as while this
 * server is off or somebody works on the service, is neither up nor down.
 */
export interface Downtime {
  /** @param isDown whether the service is down by this result and those before it @param at milliseconds since 1970 */
  count(service: { id: number; duration: number }, isDown: boolean, at: number): void
  /** What passes until the next result does not count. */
  pause(service: number): void
}

/** The longest time of a check, which can pass beside its interval. Milliseconds. */
const maxCheckMs = 10_000

export function createDowntime({ addDowntime }: Pick<Samples, 'addDowntime'>): Downtime {
  /** Until when the time of a service that is down is counted. */
  const countedUntil = new Map<number, number>()
  return {
    count({ id, duration }, isDown, at) {
      const from = countedUntil.get(id)
      // What was within a longer pause is not known.
      if (from !== undefined && at - from <= 2 * duration * 1000 + maxCheckMs) addDowntime(id, from, at)
      if (isDown) countedUntil.set(id, at)
      else countedUntil.delete(id)
    },
    pause: (service) => void countedUntil.delete(service),
  }
}
