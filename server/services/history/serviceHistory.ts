import type { CheckPhases } from '../../../src/schemas/endpoints/checkPhases.ts'
import type { HistoryPeriod } from '../../../src/schemas/endpoints/serviceHistory.ts'
import type { Bucket } from '../../db/history/definition.ts'
import { bucketRanges, bucketsToRank, readBuckets } from './periods.ts'
import { type CheckTotals, checkTotals, meanPhases, type Samples } from './samples.ts'

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
  /** @param isMany whether there may be hundreds of services, so that hours are used for `1d` */
  ofServer(server: number, period: HistoryPeriod, until: number, isMany?: boolean): Promise<ServiceOnServer[]>
}

export function createServiceHistories({ checks }: Pick<Samples, 'checks'>): ServiceHistories {
  return {
    async ofService(service, period, until, isShown = () => true) {
      const totals = new Map<number, CheckTotals>()
      const ranges = bucketRanges(period, until)
      const { tier, ...range } = bucketsToRank(period, until)
      await checks.eachOfOne(tier, range, service, (found) => {
        for (const bucket of found) if (isShown(bucket.other)) addTotals(totals, bucket.other, checkTotals(bucket))
      })
      const shown = [...totals].sort(([, one], [, other]) => byUrgency(one, other)).slice(0, maxServers)
      const buckets: Bucket[] = []
      for (const [id] of shown)
        for (const each of ranges)
          buckets.push(...(await readBuckets(each, (tier, range) => checks.ofOne(tier, range, service, id))))
      const servers = groupBuckets(buckets)
      // The first of the longer buckets may have begun before the period.
      return { servers, total: totals.size > shown.length ? totals.size : servers.length }
    },
    async ofServer(server, period, until, isMany) {
      const buckets = bucketRanges(period, until, isMany).map((each) =>
        readBuckets(each, (tier, range) => checks.ofOther(tier, range, server)),
      )
      return groupBuckets((await Promise.all(buckets)).flat())
    },
  }
}

/** Servers in one reply: more lines cannot be told apart in a chart, and thousands would be many megabytes. */
export const maxServers = 50

function addTotals(totals: Map<number, CheckTotals>, server: number, added: CheckTotals): void {
  const existing = totals.get(server)
  if (existing) for (const name of totalNames) existing[name] += added[name]
  else totals.set(server, added)
}

const totalNames = ['up', 'down', 'notPermitted', 'delay'] as const

const byUrgency = (one: CheckTotals, other: CheckTotals) =>
  failedShare(other) - failedShare(one) || averageDelay(other) - averageDelay(one)

const failedShare = ({ up, down }: CheckTotals) => (down > 0 ? down / (up + down) : 0)
const averageDelay = ({ up, delay }: CheckTotals) => (up > 0 ? delay / up : 0)

function groupBuckets(buckets: readonly Bucket[]): ServiceOnServer[] {
  const grouped = new Map<string, ServiceOnServer>()
  for (const bucket of buckets) {
    const { at, one: service, other: server } = bucket
    const totals = checkTotals(bucket)
    const key = `${service} ${server}`
    const group = grouped.get(key) ?? {
      server,
      service,
      points: [],
      totals: { up: 0, down: 0, notPermitted: 0, delay: 0 },
    }
    grouped.set(key, group)
    for (const name of totalNames) group.totals[name] += totals[name]
    if (totals.up + totals.down > 0) {
      const delay = totals.up > 0 ? totals.delay / totals.up : null
      const phases = meanPhases(bucket)
      group.points.push({ ts: at, delay, status: totals.up >= totals.down ? 1 : 0, ...(phases && { phases }) })
    }
  }
  return [...grouped.values()]
}
