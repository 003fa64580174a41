import type { HistoryPeriod } from '../../../src/schemas/endpoints/serviceHistory.ts'
import type { Bucket } from '../../db/history/definition.ts'
import { bucketRanges } from './periods.ts'
import { type CheckTotals, checkTotals, type Samples } from './samples.ts'

/** One bucket of a service's results on a server. */
export type DataPoint = {
  /** Milliseconds since 1970. */
  ts: number
  /** Average in milliseconds; 0 when no check was successful. */
  delay: number
  /** 1: at least half of the checks were successful; else 0. */
  status: number
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
  ofService(service: number, period: HistoryPeriod, until: number): ServiceOnServer[]
  /** @param isMany whether there may be hundreds of services, so that hours are used for `1d` */
  ofServer(server: number, period: HistoryPeriod, until: number, isMany?: boolean): Promise<ServiceOnServer[]>
}

export function createServiceHistories({ checks }: Pick<Samples, 'checks'>): ServiceHistories {
  return {
    ofService(service, period, until) {
      const buckets = bucketRanges(period, until).flatMap(({ tier, ...range }) => checks.ofOne(tier, range, service))
      return groupBuckets(buckets)
    },
    async ofServer(server, period, until, isMany) {
      const buckets = bucketRanges(period, until, isMany).map(({ tier, ...range }) =>
        checks.ofOther(tier, range, server),
      )
      return groupBuckets((await Promise.all(buckets)).flat())
    },
  }
}

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
    for (const name of ['up', 'down', 'notPermitted', 'delay'] as const) group.totals[name] += totals[name]
    if (totals.up + totals.down > 0) {
      const delay = totals.up > 0 ? totals.delay / totals.up : 0
      group.points.push({ ts: at, delay, status: totals.up >= totals.down ? 1 : 0 })
    }
  }
  return [...grouped.values()]
}
