import type { HistoryPeriod } from '../../../src/schemas/endpoints/serviceHistory.ts'
import type { Bucket } from '../../db/history/definition.ts'
import { partsOf } from './periods.ts'
import { type Samples, type Tally, tallyOf } from './samples.ts'

/** One moment of a service as a server saw it. */
export type Point = {
  /** Milliseconds since 1970. */
  ts: number
  /** Milliseconds, on average; 0 when no check was good. */
  delay: number
  /** 1: most checks were good; 0: they were not. */
  status: number
}

/** What a server saw of a service. */
export interface Seen {
  server: number
  service: number
  points: Point[]
  tally: Tally
}

/** Reads what checks found, the last hour of a day in single checks. @param until milliseconds since 1970 */
export interface ServiceHistories {
  ofService(service: number, period: HistoryPeriod, until: number): Seen[]
  /** @param isMany whether there may be hundreds of services: then a day is told in hours */
  ofServer(server: number, period: HistoryPeriod, until: number, isMany?: boolean): Promise<Seen[]>
}

export function createServiceHistories({ checks }: Pick<Samples, 'checks'>): ServiceHistories {
  return {
    ofService(service, period, until) {
      const found = partsOf(period, until).flatMap(({ tier, ...range }) => checks.ofOne(tier, range, service))
      return gather(found)
    },
    async ofServer(server, period, until, isMany) {
      const parts = partsOf(period, until, isMany).map(({ tier, ...range }) => checks.ofOther(tier, range, server))
      return gather((await Promise.all(parts)).flat())
    },
  }
}

function gather(buckets: readonly Bucket[]): Seen[] {
  const found = new Map<string, Seen>()
  for (const bucket of buckets) {
    const { at, one: service, other: server } = bucket
    const tally = tallyOf(bucket)
    const key = `${service} ${server}`
    const seen = found.get(key) ?? { server, service, points: [], tally: { up: 0, down: 0, notPermitted: 0, delay: 0 } }
    found.set(key, seen)
    for (const name of ['up', 'down', 'notPermitted', 'delay'] as const) seen.tally[name] += tally[name]
    if (tally.up + tally.down > 0) {
      const delay = tally.up > 0 ? tally.delay / tally.up : 0
      seen.points.push({ ts: at, delay, status: tally.up >= tally.down ? 1 : 0 })
    }
  }
  return [...found.values()]
}
