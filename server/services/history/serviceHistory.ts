import type { CheckPhases, HistoryPeriod } from '../../../src/schemas/endpoints/serviceHistory.ts'
import { takeTurns } from '../../concurrency/takeTurns.ts'
import { anyId, type Bucket, type IdRange, type Key, type Tier } from '../../db/history/definition.ts'
import type { History } from '../../db/history/openHistory.ts'
import type { Series } from '../../db/history/series.ts'
import type { ProbeResult } from '../../machines/hosts/probe.ts'
import { bucketRanges, bucketsToRank, tiers } from './periods.ts'

/** One bucket of a service's results on a server. */
export type DataPoint = {
  /** Milliseconds since 1970. */
  ts: number
  /** Average in milliseconds of the successful checks; `null` when there was none. */
  delay: number | null
  /** 1: at least half of the checks were successful; else 0. */
  status: number
  /** How long the parts of the successful checks took, where the service has a check of its own. */
  phases?: CheckPhases
}

/** The results of a service on one server. */
export interface ServiceOnServer {
  server: number
  service: number
  points: DataPoint[]
  totals: CheckTotals
}

/** Reads the history of check results. @param until milliseconds since 1970 */
export interface ServiceHistories {
  /**
   * Of each server that has checked a service; where they are many, the points of the first `maxServers` only: those
   * with the most failures, then the slowest.
   * @param isShown whether a server counts at all
   */
  ofService(
    service: number,
    period: HistoryPeriod,
    until: number,
    isShown?: (server: number) => boolean,
  ): Promise<{ servers: ServiceOnServer[]; total: number }>
  /**
   * Without the parts of checks.
   * @param options.isMany whether there may be hundreds of services, so that hours are used for `1d`
   * @param options.services ids of those to read. Default: all; there may be others between the ones given
   */
  ofServer(
    server: number,
    period: HistoryPeriod,
    until: number,
    options?: { isMany?: boolean; services?: readonly number[] },
  ): Promise<ServiceOnServer[]>
}

export function createServiceHistories({ checks }: Pick<Samples, 'checks'>): ServiceHistories {
  return {
    async ofService(service, period, until, isShown = () => true) {
      const { tier, ...range } = bucketsToRank(period, until)
      const found = await checks.totalsOfOne(tier, range, service, totalColumns)
      const totals = [...found].flatMap(([id, sums]) => (isShown(id) ? [[id, checkTotals({ sums })] as const] : []))
      const shown = totals.sort(([, one], [, other]) => byUrgency(one, other)).slice(0, maxServers)
      const buckets: Bucket[] = []
      const turn = takeTurns()
      for (const [id] of shown) {
        for (const { tier, ...range } of bucketRanges(period, until))
          buckets.push(...(await checks.ofOne(tier, range, service, id)))
        await turn()
      }
      const servers = await groupBuckets(buckets, 'other')
      // The first of the longer buckets may have begun before the period.
      return { servers, total: totals.length > shown.length ? totals.length : servers.length }
    },
    async ofServer(server, period, until, { isMany, services } = {}) {
      const found: ServiceOnServer[][] = []
      for (const ids of services ? rangesOf(services) : [anyId]) {
        const buckets: Bucket[] = []
        for (const { tier, ...range } of bucketRanges(period, until, isMany))
          for (const bucket of await checks.ofOther(tier, range, server, totalColumns, ids)) buckets.push(bucket)
        found.push(await groupBuckets(buckets, 'one'))
      }
      return found.flat()
    },
  }
}

/** Servers in one reply: more lines cannot be told apart in a chart, and thousands would be many megabytes. */
export const maxServers = 50

const totalNames = ['up', 'down', 'notPermitted', 'delay'] as const

const byUrgency = (one: CheckTotals, other: CheckTotals) =>
  failedShare(other) - failedShare(one) || averageDelay(other) - averageDelay(one)

const failedShare = ({ up, down }: CheckTotals) => (down > 0 ? down / (up + down) : 0)
const averageDelay = ({ up, delay }: CheckTotals) => (up > 0 ? delay / up : 0)

/** Services whose buckets are in memory at once: those of ten thousand become garbage that takes long to collect. */
const servicesAtOnce = 500

function rangesOf(ids: readonly number[]): IdRange[] {
  const sorted = ids.toSorted((one, other) => one - other)
  const firsts = sorted.filter((_, index) => index % servicesAtOnce === 0)
  return firsts.map((first, index) => [first, sorted[(index + 1) * servicesAtOnce - 1] ?? sorted.at(-1) ?? first])
}

/** Buckets between which others may work. */
const bucketsOfTurn = 500

/** @param key what they differ in */
async function groupBuckets(buckets: readonly Bucket[], key: keyof Key): Promise<ServiceOnServer[]> {
  const grouped = new Map<number, ServiceOnServer>()
  const turn = takeTurns()
  for (const [index, bucket] of buckets.entries()) {
    const { at, one: service, other: server } = bucket
    const totals = checkTotals(bucket)
    const group = grouped.get(bucket[key]) ?? {
      server,
      service,
      points: [],
      totals: { up: 0, down: 0, notPermitted: 0, delay: 0 },
    }
    grouped.set(bucket[key], group)
    for (const name of totalNames) group.totals[name] += totals[name]
    if (totals.up + totals.down > 0) {
      const delay = totals.up > 0 ? totals.delay / totals.up : null
      const point: DataPoint = { ts: at, delay, status: totals.up >= totals.down ? 1 : 0 }
      const phases = meanPhases(bucket)
      if (phases) point.phases = phases
      group.points.push(point)
    }
    if (index % bucketsOfTurn === 0) await turn()
  }
  return [...grouped.values()]
}

/** As many as the visitors' page shows, and today's. */
export const days: Tier = { step: 86_400, keep: 91 * 86_400 }

/** Sums of check results. */
interface CheckTotals {
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
const totalColumns = ['up', 'down', 'not_permitted', 'delay']
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
function meanPhases({ sums }: Pick<Bucket, 'sums'>): CheckPhases | undefined {
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
