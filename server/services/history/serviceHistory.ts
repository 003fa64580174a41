import type { CheckPhases } from '../../../src/schemas/endpoints/checkPhases.ts'
import type { HistoryPeriod } from '../../../src/schemas/endpoints/serviceHistory.ts'
import { takeTurns } from '../../concurrency/takeTurns.ts'
import { anyId, type Bucket, type IdRange, type Key } from '../../db/history/definition.ts'
import { bucketRanges, bucketsToRank } from './periods.ts'
import { type CheckTotals, checkTotals, meanPhases, type Samples, totalColumns } from './samples.ts'

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
